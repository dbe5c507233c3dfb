// The program of the three consumers: it compiles against the headers and links to the ICD loader.
#include <clutch/clutch.hpp>

inline constexpr clutch::Source source{"kernel void nothing(int n) {}"};
constexpr clutch::Kernel<clutch::Entry<source, "nothing">, cl_int> nothing{};

int main()
{
    clutch::Queue queue = clutch::default_queue();
    nothing(queue, {2, 2}, 1);
    queue.finish();
}
