// Lower bounds on the size of one arena.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

#include "memory/plan.h"
#include "support/arithmetic.h"

namespace ingot::memory {
namespace {

// What happens at one step, as bytes that appear and disappear there.
struct Events {
    std::size_t begins = 0;   // of buffers whose first step this is
    std::size_t ends = 0;     // of buffers whose last step this is
    std::size_t moments = 0;  // of those, buffers whose only step this is
    std::size_t largest = 0;  // the largest buffer that begins or ends here
};

}  // namespace

std::size_t overlap_bound(const std::vector<Buffer>& buffers, std::size_t alignment) {
    std::map<std::int64_t, Events> steps;
    for (const Buffer& buffer : buffers) {
        const std::size_t size = support::align_up(buffer.size, alignment);
        Events& first = steps[buffer.lifetime.first];
        first.begins += size;
        first.largest = std::max(first.largest, size);
        Events& last = steps[buffer.lifetime.last];
        last.ends += size;
        last.largest = std::max(last.largest, size);
        if (buffer.lifetime.first == buffer.lifetime.last) first.moments += size;
    }
    std::size_t bound = 0;
    std::size_t entering = 0;  // live before the step
    for (const auto& [step, events] : steps) {
        const std::size_t through = entering - (events.ends - events.moments);
        const std::size_t leaving = through + (events.begins - events.moments);
        bound = std::max({bound, entering, leaving, through + events.largest});
        entering = leaving;
    }
    return bound;
}

}  // namespace ingot::memory
