#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include <map>
#include <queue>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "memory/items.h"
#include "memory/plan.h"

namespace ingot::memory {
namespace {

using program::Program;

[[noreturn]] void fault(const std::string& message) {
    throw std::logic_error("memory plan: " + message);
}

class Verifier {
  public:
    Verifier(const Program& program, const MemoryPlan& plan) : program_(program), plan_(plan) {}

    void verify() {
        if (plan_.placements.size() != program_.tensors.size() ||
            plan_.lifetimes.size() != program_.tensors.size()) {
            fault("not every tensor has an entry");
        }
        check_regions();
        // What must have a place, and how long it must be live at least.
        const std::vector<Lifetime> needed = lifetimes(program_, true);
        std::vector<std::vector<Item>> by_region(plan_.regions.size());
        for (Item& item : items(program_, needed)) {
            check_item(item, needed);
            by_region[plan_.placements[item.root]->region].push_back(std::move(item));
        }
        for (std::size_t r = 0; r < by_region.size(); ++r) check_sharing(r, by_region[r]);
    }

  private:
    const std::string& id(TensorId tensor) const { return program_.tensor(tensor).id; }

    void check_regions() const {
        std::size_t listed = 0;
        for (std::size_t r = 0; r < plan_.regions.size(); ++r) {
            const Region& region = plan_.regions[r];
            if (region.size == 0) fault("region " + region.enum_name + " is empty");
            if (region.alignment < kTensorAlignment ||
                (region.alignment & (region.alignment - 1)) != 0 ||
                region.size % region.alignment != 0) {
                fault("region " + region.enum_name + " is not aligned");
            }
            for (TensorId tensor : region.tensors) {
                ++listed;
                if (!plan_.placements.at(tensor) || plan_.placements[tensor]->region != r) {
                    fault("tensor " + id(tensor) + " is listed in a region it isn't placed in");
                }
            }
        }
        std::size_t placed = 0;
        for (const auto& placement : plan_.placements) placed += placement ? 1U : 0U;
        if (placed != listed) fault("a placed tensor is not listed in its region exactly once");
    }

    void check_item(const Item& item, const std::vector<Lifetime>& needed) const {
        for (TensorId member : item.members) {
            const std::optional<Placement>& placement = plan_.placements[member];
            if (!placement) fault("tensor " + id(member) + " has no place");
            const Placement& root = *plan_.placements[item.root];
            if (placement->region != root.region || placement->offset != root.offset) {
                fault("view " + id(member) + " isn't where its root is");
            }
            const Lifetime& life = plan_.lifetimes[member];
            if (life.first > needed[member].first || life.last < needed[member].last) {
                fault("tensor " + id(member) + " is live longer than the plan says");
            }
        }
        const Placement& place = *plan_.placements[item.root];
        const Region& region = plan_.regions.at(place.region);
        if (region.role != item.role) fault("tensor " + id(item.root) + " is in a wrong arena");
        if (place.offset % kTensorAlignment != 0) {
            fault("tensor " + id(item.root) + " is not aligned");
        }
        if (place.offset > region.size || item.size > region.size - place.offset) {
            fault("tensor " + id(item.root) + " ends outside its arena");
        }
    }

    // Only equal constants may share bytes, and only all of them.
    bool may_share(const Item& a, const Item& b) const {
        return a.role == Role::constant &&
               plan_.placements[a.root]->offset == plan_.placements[b.root]->offset &&
               program_.tensor(a.root).data == program_.tensor(b.root).data;
    }

    // Walks through time with what is live in the order of offsets: two live tensors that share
    // bytes would be neighbours there when the later one comes.
    void check_sharing(std::size_t region, std::vector<Item>& items) const {
        for (Item& item : items) item.lifetime = plan_.lifetimes[item.root];
        std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
            return a.lifetime.first < b.lifetime.first;
        });
        std::map<std::size_t, const Item*> live;              // by offset
        using Ending = std::pair<std::int64_t, std::size_t>;  // last step, offset
        std::priority_queue<Ending, std::vector<Ending>, std::greater<>> endings;
        for (const Item& item : items) {
            while (!endings.empty() && endings.top().first < item.lifetime.first) {
                live.erase(endings.top().second);
                endings.pop();
            }
            const std::size_t offset = plan_.placements[item.root]->offset;
            const auto next = live.lower_bound(offset);
            if (next != live.end() && next->first < offset + item.size) {
                if (may_share(item, *next->second)) continue;
                clash(region, item, *next->second);
            }
            if (next != live.begin()) {
                const auto& [before, other] = *std::prev(next);
                if (before + other->size > offset) clash(region, item, *other);
            }
            live.emplace(offset, &item);
            endings.emplace(item.lifetime.last, offset);
        }
    }

    [[noreturn]] void clash(std::size_t region, const Item& a, const Item& b) const {
        fault(fmt::format("tensors {} and {} share bytes of {} while both are live", id(a.root),
                          id(b.root), plan_.regions[region].enum_name));
    }

    const Program& program_;
    const MemoryPlan& plan_;
};

}  // namespace

void verify(const Program& program, const MemoryPlan& plan) {
    Verifier(program, plan).verify();
}

}  // namespace ingot::memory
