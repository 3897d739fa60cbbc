#include <fmt/format.h>

#include <algorithm>
#include <functional>
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
            plan_.lifetimes.size() != program_.tensors.size() ||
            plan_.backwards.size() != program_.steps.size()) {
            fault("not every tensor and step has an entry");
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
            if (placement->region != root.region ||
                placement->offset != root.offset + program_.root_offset(member)) {
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

    // Whether the plan may let two live items share bytes: `input` dies in the one step in which
    // `output` begins, and every pair of tensors that the step reads and writes keeps the distance
    // that the kernel asks for in the direction it runs.
    bool may_overlap(const Item& input, const Item& output) const {
        if (input.lifetime.last != output.lifetime.first || output.lifetime.first < 0 ||
            input.lifetime.first == input.lifetime.last) {
            return false;
        }
        const auto s = static_cast<std::size_t>(output.lifetime.first);
        if (s >= program_.steps.size()) return false;
        const program::Step& step = program_.steps[s];
        if (std::find(step.scratch.begin(), step.scratch.end(), output.root) !=
            step.scratch.end()) {
            return false;
        }
        for (const program::Access& read : step.reads) {
            if (program_.root(read.tensor) != input.root) continue;
            for (const program::Access& write : step.writes) {
                if (program_.root(write.tensor) != output.root) continue;
                if (!keeps_distance(step, plan_.backwards.at(s), read.tensor, write.tensor)) {
                    return false;
                }
            }
        }
        return true;
    }

    bool keeps_distance(const program::Step& step, bool backwards, TensorId input,
                        TensorId output) const {
        const auto from = static_cast<std::int64_t>(plan_.placements[input]->offset);
        const auto to = static_cast<std::int64_t>(plan_.placements[output]->offset);
        for (const program::Overlap& permission : step.overlaps) {
            if (permission.input != input || permission.output != output) continue;
            return backwards ? permission.above && to - from >= *permission.above
                             : from - to >= permission.below;
        }
        return false;
    }

    // Walks through time; a new item is compared with all that are live.
    void check_scratch(std::size_t region, const std::vector<Item>& items) const {
        std::vector<const Item*> live;
        for (const Item& item : items) {
            live.erase(std::remove_if(live.begin(), live.end(),
                                      [&](const Item* other) {
                                          return other->lifetime.last < item.lifetime.first;
                                      }),
                       live.end());
            const std::size_t offset = plan_.placements[item.root]->offset;
            for (const Item* other : live) {
                const std::size_t begin = plan_.placements[other->root]->offset;
                if (begin >= offset + item.size || offset >= begin + other->size) continue;
                if (!may_overlap(*other, item)) clash(region, item, *other);
            }
            live.push_back(&item);
        }
    }

    // All are live all the time, so two that share bytes are neighbours in the order of offsets.
    void check_lasting(std::size_t region, std::vector<Item>& items) const {
        const auto offset = [&](const Item& item) { return plan_.placements[item.root]->offset; };
        std::stable_sort(items.begin(), items.end(),
                         [&](const Item& a, const Item& b) { return offset(a) < offset(b); });
        const Item* highest = nullptr;  // of those so far, the one that ends last
        for (const Item& item : items) {
            if (highest != nullptr && offset(item) < offset(*highest) + highest->size &&
                !may_share(item, *highest)) {
                clash(region, item, *highest);
            }
            if (highest == nullptr || offset(item) + item.size > offset(*highest) + highest->size) {
                highest = &item;
            }
        }
    }

    void check_sharing(std::size_t region, std::vector<Item>& items) const {
        if (plan_.regions[region].role != Role::scratch) return check_lasting(region, items);
        for (Item& item : items) item.lifetime = plan_.lifetimes[item.root];
        std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
            return a.lifetime.first < b.lifetime.first;
        });
        check_scratch(region, items);
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
