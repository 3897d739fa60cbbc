#include "memory/order_graph.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "memory/items.h"
#include "memory/overlaps.h"
#include "support/arithmetic.h"

namespace ingot::memory {
namespace {

using program::Program;
using program::Step;

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// The accesses of one root so far: those that a later one may conflict with.
struct History {
    struct Range {
        std::size_t step = 0;
        std::size_t begin = 0;
        std::size_t end = 0;
        bool writes = false;
    };
    std::vector<Range> ranges;

    // Calls `conflict` for every earlier step that must stay before this access. What a write
    // covers is forgotten: a later access that conflicts with it conflicts with the write too.
    template <typename Conflict>
    void add(const Range& range, const Conflict& conflict) {
        for (const Range& other : ranges) {
            const bool apart = other.end <= range.begin || range.end <= other.begin;
            if (!apart && (other.writes || range.writes)) conflict(other.step);
        }
        if (range.writes) {
            ranges.erase(std::remove_if(ranges.begin(), ranges.end(),
                                        [&](const Range& other) {
                                            return range.begin <= other.begin &&
                                                   other.end <= range.end;
                                        }),
                         ranges.end());
        }
        ranges.push_back(range);
    }
};

class Builder {
  public:
    Builder(const Program& program, bool inputs_overwritable)
        : program_(program),
          items_(items(program, lifetimes(program, inputs_overwritable))),
          buffer_of_(program.tensors.size(), kNone),
          history_(program.tensors.size()),
          first_writer_(program.tensors.size(), kNone) {
        graph_.steps.resize(program.steps.size());
        for (std::size_t s = 0; s < program.steps.size(); ++s) add_step(s);
        add_ends(inputs_overwritable);
        add_shares();
    }

    OrderGraph build() {
        for (std::size_t s = 0; s < graph_.steps.size(); ++s) {
            std::vector<std::size_t>& before = graph_.steps[s].before;
            std::sort(before.begin(), before.end());
            before.erase(std::unique(before.begin(), before.end()), before.end());
            for (std::size_t b : before) graph_.steps[b].after.push_back(s);
        }
        return std::move(graph_);
    }

  private:
    void add_step(std::size_t s) {
        const Step& step = program_.steps[s];
        for (const program::Access& access : step.reads) read(access.tensor, s);
        // What a step reads and writes is one access of it: it doesn't wait for itself.
        for (const program::Access& access : step.writes) write(access.tensor, s, step.is_view());
        for (TensorId id : step.scratch) use(id, s);
        for (const program::Call& call : step.calls) {
            for (const std::optional<TensorId>& id : call.arguments) {
                if (id) use(*id, s);
            }
        }
        if (step.custom) {
            if (last_custom_ != kNone) require(last_custom_, s);
            last_custom_ = s;
        }
    }

    void require(std::size_t before, std::size_t step) {
        if (before != step) graph_.steps[step].before.push_back(before);
    }

    void read(TensorId id, std::size_t s) {
        if (first_writer_[id] != kNone) require(first_writer_[id], s);
        access(id, s, false);
    }

    void write(TensorId id, std::size_t s, bool view) {
        if (first_writer_[id] == kNone) first_writer_[id] = s;
        access(id, s, !view);
    }

    void access(TensorId id, std::size_t s, bool writes) {
        use(id, s);
        const std::size_t begin = program_.root_offset(id);
        history_[program_.root(id)].add({s, begin, begin + program_.tensor(id).size, writes},
                                        [&](std::size_t before) { require(before, s); });
    }

    std::size_t buffer(TensorId root) {
        if (buffer_of_[root] == kNone) {
            buffer_of_[root] = graph_.buffers.size();
            graph_.buffers.emplace_back();
        }
        return buffer_of_[root];
    }

    void use(TensorId id, std::size_t s) {
        const TensorId root = program_.root(id);
        if (program_.tensor(root).role != Role::scratch) return;
        const std::size_t b = buffer(root);
        std::vector<std::size_t>& users = graph_.buffers[b].users;
        if (!users.empty() && users.back() == s) return;
        users.push_back(s);
        graph_.steps[s].buffers.push_back(b);
    }

    // Sizes, and what is live before the first and after the last step.
    void add_ends(bool inputs_overwritable) {
        enum : unsigned { kBegins = 1, kEnds = 2 };
        std::vector<unsigned> live(program_.tensors.size(), 0);
        for (TensorId id : program_.inputs) {
            live[program_.root(id)] |= inputs_overwritable ? kBegins : kBegins | kEnds;
        }
        for (TensorId id : program_.outputs) live[program_.root(id)] |= kEnds;
        std::size_t start = 0;
        std::size_t end = 0;
        for (const Item& item : items_) {
            if (item.role != Role::scratch) continue;
            const std::size_t size = support::align_up(item.size, kTensorAlignment);
            const bool begins = (live[item.root] & kBegins) != 0;
            const bool ends = (live[item.root] & kEnds) != 0;
            if (begins) start += size;
            if (ends) end += size;
            if (buffer_of_[item.root] == kNone) {
                if (begins && ends) graph_.base += size;
                // Nobody mentions it: it is live before the first step, in the plan too.
                if (!begins && !ends) start += size;
                continue;
            }
            OrderGraph::Buffer& buffer = graph_.buffers[buffer_of_[item.root]];
            buffer.size = size;
            buffer.begun = begins;
            buffer.held = ends;
        }
        graph_.at_ends = std::max(start, end);
    }

    void add_shares() {
        for (const ItemOverlap& overlap : permitted(program_, items_)) {
            const std::size_t input = buffer_of_[items_[overlap.input].root];
            const std::size_t output = buffer_of_[items_[overlap.output].root];
            if (input == kNone || output == kNone) continue;
            graph_.steps[overlap.step].shares.push_back({input, output, overlap.shared(items_)});
        }
        for (OrderGraph::Node& node : graph_.steps) {
            std::stable_sort(node.shares.begin(), node.shares.end(),
                             [](const auto& a, const auto& b) { return a.output < b.output; });
        }
    }

    const Program& program_;
    std::vector<Item> items_;
    std::vector<std::size_t> buffer_of_;     // by root
    std::vector<History> history_;           // by root
    std::vector<std::size_t> first_writer_;  // by tensor
    std::size_t last_custom_ = kNone;
    OrderGraph graph_;
};

// Bytes shared by those of a step's outputs that `begins` names with inputs that `ends` names.
template <typename Ends, typename Begins>
std::size_t shared(const OrderGraph& graph, const OrderGraph::Node& node, const Ends& ends,
                   const Begins& begins) {
    std::size_t sum = 0;
    std::size_t of_output = 0;
    for (std::size_t i = 0; i < node.shares.size(); ++i) {
        const OrderGraph::Share& share = node.shares[i];
        if (ends(share.input) && begins(share.output)) of_output += share.bytes;
        if (i + 1 < node.shares.size() && node.shares[i + 1].output == share.output) continue;
        sum += std::min(of_output, graph.buffers[share.output].size);
        of_output = 0;
    }
    return sum;
}

}  // namespace

std::size_t OrderGraph::live_at_start() const {
    std::size_t sum = base;
    for (const Buffer& buffer : buffers) sum += buffer.begun ? buffer.size : 0;
    return sum;
}

StepCost OrderGraph::cost(std::size_t step, const StepSet& done) const {
    // From the end that mostly decides at once.
    const auto begins = [&](std::size_t b) {
        const Buffer& buffer = buffers[b];
        return !buffer.begun && std::none_of(buffer.users.begin(), buffer.users.end(),
                                             [&](std::size_t user) { return done.has(user); });
    };
    const auto ends = [&](std::size_t b) {
        const Buffer& buffer = buffers[b];
        return !buffer.held &&
               std::all_of(buffer.users.rbegin(), buffer.users.rend(),
                           [&](std::size_t user) { return user == step || done.has(user); });
    };
    StepCost result;
    for (std::size_t b : steps[step].buffers) {
        if (begins(b)) result.begun += buffers[b].size;
        if (ends(b)) result.ended += buffers[b].size;
    }
    const auto dies = [&](std::size_t b) { return ends(b) && !begins(b); };
    result.during = result.begun - shared(*this, steps[step], dies, begins);
    return result;
}

std::size_t OrderGraph::least(std::size_t step) const {
    std::size_t bytes = base;
    for (std::size_t b : steps[step].buffers) bytes += buffers[b].size;
    const auto may_end = [&](std::size_t b) { return !buffers[b].held; };
    const auto may_begin = [&](std::size_t b) { return !buffers[b].begun; };
    return bytes - shared(*this, steps[step], may_end, may_begin);
}

std::vector<std::size_t> OrderGraph::live(const std::vector<std::size_t>& order) const {
    StepSet done(steps.size());
    std::size_t now = live_at_start();
    std::vector<std::size_t> result;
    for (std::size_t step : order) {
        const StepCost c = cost(step, done);
        result.push_back(now + c.during);
        now = c.after(now);
        done.add(step);
    }
    return result;
}

OrderGraph order_graph(const Program& program, bool inputs_overwritable) {
    return Builder(program, inputs_overwritable).build();
}

OrderGraph part(const OrderGraph& graph, std::size_t first, std::size_t last, std::size_t live) {
    OrderGraph result;
    std::map<std::size_t, std::size_t> local;  // buffers
    const auto within = [&](std::size_t step) { return first <= step && step < last; };
    const auto shifted = [&](const std::vector<std::size_t>& steps) {
        std::vector<std::size_t> inside;
        for (std::size_t step : steps) {
            if (within(step)) inside.push_back(step - first);
        }
        return inside;
    };
    for (std::size_t s = first; s < last; ++s) {
        const OrderGraph::Node& whole = graph.steps[s];
        OrderGraph::Node node{shifted(whole.before), shifted(whole.after), {}, {}};
        for (std::size_t b : whole.buffers) {
            const auto [found, added] = local.emplace(b, result.buffers.size());
            if (added) {
                const OrderGraph::Buffer& buffer = graph.buffers[b];
                result.buffers.push_back({buffer.size, shifted(buffer.users),
                                          buffer.begun || buffer.users.front() < first,
                                          buffer.held || buffer.users.back() >= last});
            }
            node.buffers.push_back(found->second);
        }
        for (const OrderGraph::Share& share : whole.shares) {
            node.shares.push_back({local.at(share.input), local.at(share.output), share.bytes});
        }
        result.steps.push_back(std::move(node));
    }
    result.base = live - result.live_at_start();
    return result;
}

}  // namespace ingot::memory
