#include "memory/overlaps.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "support/arithmetic.h"

namespace ingot::memory {
namespace {

using program::Overlap;
using program::Program;
using program::Step;

std::size_t rounded(std::size_t bytes) {
    return support::align_up(bytes, kTensorAlignment);
}

// A distance between tensors as one between their roots, within what roots can share.
std::size_t between_roots(std::int64_t bytes, std::size_t lower_offset, std::size_t upper_offset,
                          std::size_t lower_size) {
    bytes += static_cast<std::int64_t>(lower_offset) - static_cast<std::int64_t>(upper_offset);
    if (bytes <= 0) return 0;
    return std::min(rounded(static_cast<std::size_t>(bytes)), rounded(lower_size));
}

class Finder {
  public:
    Finder(const Program& program, const std::vector<Item>& items)
        : program_(program), items_(items), item_of_(program.tensors.size(), items.size()) {
        for (std::size_t i = 0; i < items.size(); ++i) {
            for (TensorId member : items[i].members) item_of_[member] = i;
        }
    }

    std::vector<ItemOverlap> find() const {
        std::vector<ItemOverlap> result;
        for (std::size_t s = 0; s < program_.steps.size(); ++s) {
            const Step& step = program_.steps[s];
            std::map<std::pair<std::size_t, std::size_t>, bool> seen;
            for (const Overlap& permission : step.overlaps) {
                const std::size_t input = item_of_.at(permission.input);
                const std::size_t output = item_of_.at(permission.output);
                if (!seen.emplace(std::make_pair(input, output), true).second) continue;
                if (!both_scratch(input, output)) continue;
                if (const auto overlap = combine(step, s, input, output)) {
                    result.push_back(*overlap);
                }
            }
        }
        return result;
    }

  private:
    bool both_scratch(std::size_t input, std::size_t output) const {
        return input != output && items_[input].role == Role::scratch &&
               items_[output].role == Role::scratch;
    }

    // What holds for every tensor of `input` that the step reads with every one of `output` that
    // it writes. A step with several permissions runs forwards: two of them could need
    // different directions.
    std::optional<ItemOverlap> combine(const Step& step, std::size_t s, std::size_t input,
                                       std::size_t output) const {
        ItemOverlap result{input, output, s, 0, 0};
        const std::size_t input_size = items_[input].size;
        const std::size_t output_size = items_[output].size;
        if (step.overlaps.size() > 1) result.above = rounded(input_size);
        for (const program::Access& read : step.reads) {
            if (item_of_[read.tensor] != input) continue;
            for (const program::Access& write : step.writes) {
                if (item_of_[write.tensor] != output) continue;
                const Overlap* permission = find(step, read.tensor, write.tensor);
                if (permission == nullptr) return std::nullopt;
                const std::size_t from = program_.root_offset(read.tensor);
                const std::size_t to = program_.root_offset(write.tensor);
                result.below =
                    std::max(result.below, between_roots(permission->below, to, from, output_size));
                result.above = std::max(
                    result.above, permission->above
                                      ? between_roots(*permission->above, from, to, input_size)
                                      : rounded(input_size));
            }
        }
        if (result.shared(items_) == 0) return std::nullopt;
        return result;
    }

    static const Overlap* find(const Step& step, TensorId input, TensorId output) {
        const auto found =
            std::find_if(step.overlaps.begin(), step.overlaps.end(), [&](const Overlap& overlap) {
                return overlap.input == input && overlap.output == output;
            });
        return found == step.overlaps.end() ? nullptr : &*found;
    }

    const Program& program_;
    const std::vector<Item>& items_;
    std::vector<std::size_t> item_of_;  // by tensor
};

}  // namespace

std::size_t ItemOverlap::shared(const std::vector<Item>& items) const {
    const std::size_t input_size = rounded(items[input].size);
    const std::size_t output_size = rounded(items[output].size);
    return std::max(std::min(output_size - below, input_size),
                    std::min(input_size - above, output_size));
}

std::vector<ItemOverlap> permitted(const Program& program, const std::vector<Item>& items) {
    return Finder(program, items).find();
}

std::vector<ItemOverlap> overlaps(const Program& program, const std::vector<Item>& items) {
    std::vector<ItemOverlap> result;
    for (const ItemOverlap& overlap : permitted(program, items)) {
        const auto step = static_cast<std::int64_t>(overlap.step);
        const Lifetime& input = items[overlap.input].lifetime;
        const Lifetime& output = items[overlap.output].lifetime;
        if (input.last == step && output.first == step && input.first < step) {
            result.push_back(overlap);
        }
    }
    return result;
}

std::size_t shared_bytes(const std::vector<ItemOverlap>& of_step, const std::vector<Item>& items) {
    std::map<std::size_t, std::size_t> by_output;
    for (const ItemOverlap& overlap : of_step) {
        by_output[overlap.output] += overlap.shared(items);
    }
    std::size_t sum = 0;
    for (const auto& [output, bytes] : by_output) {
        sum += std::min(bytes, rounded(items[output].size));
    }
    return sum;
}

}  // namespace ingot::memory
