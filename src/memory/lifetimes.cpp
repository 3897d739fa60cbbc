#include <algorithm>
#include <limits>

#include "memory/plan.h"

namespace ingot::memory {
namespace {

using program::Program;
using program::Step;

constexpr std::int64_t kBeforeFirstStep = -1;
constexpr Lifetime kNever{std::numeric_limits<std::int64_t>::max(),
                          std::numeric_limits<std::int64_t>::min()};

void extend(Lifetime& lifetime, std::int64_t step) {
    lifetime.first = std::min(lifetime.first, step);
    lifetime.last = std::max(lifetime.last, step);
}

}  // namespace

std::vector<Lifetime> lifetimes(const Program& program, bool inputs_overwritable) {
    const auto end = static_cast<std::int64_t>(program.steps.size());
    std::vector<Lifetime> by_root(program.tensors.size(), kNever);
    const auto use = [&](TensorId id, std::int64_t step) {
        extend(by_root.at(program.root(id)), step);
    };
    for (TensorId id : program.inputs) {
        use(id, kBeforeFirstStep);
        if (!inputs_overwritable) use(id, end);
    }
    for (std::int64_t s = 0; s < end; ++s) {
        const Step& step = program.steps[static_cast<std::size_t>(s)];
        for (const program::Access& access : step.reads) use(access.tensor, s);
        for (const program::Access& access : step.writes) use(access.tensor, s);
        for (TensorId id : step.scratch) use(id, s);
        for (const program::Call& call : step.calls) {
            for (const std::optional<TensorId>& id : call.arguments) {
                if (id) use(*id, s);
            }
        }
    }
    for (TensorId id : program.outputs) use(id, end);

    std::vector<Lifetime> result(program.tensors.size());
    for (TensorId id = 0; id < result.size(); ++id) {
        const TensorId root = program.root(id);
        const bool whole = program.tensor(root).role != Role::scratch;
        result[id] = whole ? Lifetime{kBeforeFirstStep, end} : by_root[root];
        // Nobody mentions it: its place matters to nobody.
        if (result[id].first > result[id].last) result[id] = {kBeforeFirstStep, kBeforeFirstStep};
    }
    return result;
}

}  // namespace ingot::memory
