// The picture that `heat` has drawn, read back; HEAT_PICTURE names it. CMakeLists.txt says which run draws it.
#include "catch.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

TEST_CASE("heat draws a PNG of the plate's size", "[picture]")
{
    const char* const path = std::getenv("HEAT_PICTURE");
    REQUIRE(path != nullptr);

    std::array<char, 8> signature{};
    REQUIRE(std::ifstream{path, std::ios::binary}.read(signature.data(), signature.size()));
    CHECK(std::string(signature.data(), signature.size()) == "\x89PNG\r\n\x1a\n");

    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_file(&image, path) != 0);
    CHECK(image.width == 150);
    CHECK(image.height == 90);
    CHECK(image.format == PNG_FORMAT_RGB);

    image.format = PNG_FORMAT_GRAY;
    std::vector<png_byte> pixels(PNG_IMAGE_SIZE(image));
    REQUIRE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) != 0);

    const auto at = [&](std::size_t x, std::size_t y) { return pixels[y * 150 + x]; };
    const int cold = at(0, 0);            // a corner, far from any disc
    const int warm = at(75 - 20, 45 - 9); // the middle of the warmest disc
    CHECK(cold < 10);
    CHECK(warm > 200);
    CHECK(*std::max_element(pixels.begin(), pixels.end()) <= warm + 1);
}
