#include "memory/items.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace ingot::memory {
namespace {

using program::Access;
using program::Program;
using program::Step;

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

class Collector {
  public:
    explicit Collector(const Program& program)
        : program_(program), index_(program.tensors.size(), kNone) {}

    std::vector<Item> collect(const std::vector<Lifetime>& lifetimes) {
        for (TensorId id : program_.inputs) item(id);
        for (std::size_t s = 0; s < program_.steps.size(); ++s) add_step(s, program_.steps[s]);
        for (TensorId id : program_.outputs) item(id);
        // What nobody mentions has an enumerator all the same, and so a place.
        for (TensorId id = 0; id < program_.tensors.size(); ++id) item(id);
        add_members();
        for (Item& it : items_) it.lifetime = lifetimes.at(it.root);
        return std::move(items_);
    }

  private:
    Item& item(TensorId id) {
        const TensorId root = program_.root(id);
        if (index_[root] == kNone) {
            index_[root] = items_.size();
            Item fresh;
            fresh.root = root;
            fresh.role = program_.tensor(root).role;
            items_.push_back(std::move(fresh));
        }
        return items_[index_[root]];
    }

    void own(TensorId id, std::size_t step, std::uint64_t touched) {
        Item& it = item(id);
        it.touched += touched;
        if (it.steps.empty() || it.steps.back() != step) it.steps.push_back(step);
    }

    void add_step(std::size_t s, const Step& step) {
        for (const Access& a : step.reads) item(a.tensor).touched += a.touched_bytes;
        for (const Access& a : step.writes) own(a.tensor, s, a.touched_bytes);
        // A work buffer is written and read: nobody counts its accesses more closely.
        for (TensorId id : step.scratch) own(id, s, 2 * std::uint64_t{program_.tensor(id).size});
        for (const Access& a : step.constants) own(a.tensor, s, a.touched_bytes);
        for (const program::Call& call : step.calls) {
            for (const std::optional<TensorId>& id : call.arguments) {
                if (id) item(*id);
            }
        }
    }

    void add_members() {
        for (TensorId id = 0; id < program_.tensors.size(); ++id) {
            const std::size_t i = index_[program_.root(id)];
            items_[i].members.push_back(id);
            items_[i].size = std::max({items_[i].size, program_.tensor(id).size, std::size_t{1}});
        }
    }

    const Program& program_;
    std::vector<std::size_t> index_;  // by root
    std::vector<Item> items_;
};

}  // namespace

std::vector<Item> items(const program::Program& program, const std::vector<Lifetime>& lifetimes) {
    return Collector(program).collect(lifetimes);
}

}  // namespace ingot::memory
