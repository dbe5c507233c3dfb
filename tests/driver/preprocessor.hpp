// As much of the C preprocessor as the tests' programs need: comments, line splices, conditionals, object-like macros,
// #error and #include. Function-like macros are accepted and left unexpanded.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace clutch_test {

struct Token {
    enum Kind { word, number, string, mark } kind;
    std::string text;
    int line;
};

// What `clBuildProgram` was given besides the text.
struct BuildOptions {
    std::map<std::string, std::string> macros; // from -D, and what the device defines
    std::vector<std::string> include_directories;
    std::map<std::string, std::string> headers; // by the name that #include uses; from clCompileProgram
    bool argument_info = false;                 // -cl-kernel-arg-info
    bool valid = true;                          // false: CL_INVALID_BUILD_OPTIONS
};

BuildOptions parse_options(std::string_view options);

struct Preprocessed {
    std::vector<Token> tokens;
    std::string error; // the log's text, empty if all went well
};

Preprocessed preprocess(std::string_view text, const BuildOptions& options);

} // namespace clutch_test
