// The list of contenders. BENCH_CLHPP and BENCH_BOOST say which libraries this machine has.
#include "contender.hpp"

#include <algorithm>
#include <stdexcept>

namespace bench {

const std::vector<Contender>& contenders()
{
    static const std::vector<Contender> list = [] {
        std::vector<Contender> all;
        add_bare(all);
        add_clutch(all);
#ifdef BENCH_CLHPP
        add_clhpp(all);
#endif
#ifdef BENCH_BOOST
        add_boost(all);
#endif
        return all;
    }();
    return list;
}

const Contender& contender(std::string_view id)
{
    const auto found = std::find_if(contenders().begin(), contenders().end(),
                                    [&](const Contender& candidate) { return candidate.id() == id; });
    if (found != contenders().end())
        return *found;
    std::string message = "no contender '" + std::string{id} + "'; there are";
    for (const Contender& candidate : contenders())
        message += " " + candidate.id();
    throw std::invalid_argument{message};
}

} // namespace bench
