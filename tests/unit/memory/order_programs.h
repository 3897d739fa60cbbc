// Programs whose order matters: random ones, and shapes of networks that are known for it.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "programs.h"

namespace ingot::testing {

/// Up to eight steps over tensors, parts of tensors, views and state, with permissions.
class RandomProgram {
  public:
    Program build() {
        state_ = builder_.state(32);
        const auto inputs = *rc::gen::inRange(1, 3);
        for (int i = 0; i < inputs; ++i) {
            known_.push_back(builder_.activation(size()));
            builder_.program.inputs.push_back(known_.back());
        }
        const auto steps = *rc::gen::inRange(1, 9);
        for (int s = 0; s < steps; ++s) add_step();
        const auto outputs = *rc::gen::inRange(1, 3);
        for (int i = 0; i < outputs; ++i) builder_.program.outputs.push_back(any());
        return std::move(builder_.program);
    }

  private:
    static std::size_t size() { return *rc::gen::inRange<std::size_t>(1, 200); }
    static bool one_in(int n) { return *rc::gen::inRange(0, n) == 0; }
    TensorId any() { return *rc::gen::elementOf(known_); }

    void add_step() {
        if (one_in(8)) return add_view();
        std::vector<TensorId> reads{any()};
        if (one_in(2)) reads.push_back(any());
        std::vector<TensorId> writes = outputs();
        if (one_in(6)) reads.push_back(state_);
        if (one_in(6)) writes.push_back(state_);
        program::Step& step = builder_.step("WORK", reads, writes);
        if (one_in(8)) {
            step.custom.emplace();
        } else {
            static const program::Kernel kernel{};
            step.calls.push_back({&kernel, {}, {}});
        }
        permit(step);
        if (one_in(4)) builder_.scratch("scratch", size());
    }

    // New tensors, or the next part of a tensor that is written part by part.
    std::vector<TensorId> outputs() {
        std::vector<TensorId> result;
        const int count = one_in(4) ? 2 : 1;
        for (int i = 0; i < count; ++i) {
            if (one_in(4)) {
                result.push_back(part());
            } else {
                result.push_back(builder_.activation(size()));
            }
            known_.push_back(result.back());
        }
        return result;
    }

    TensorId part() {
        constexpr std::size_t kPart = 64;
        if (parts_ % 3 == 0) whole_ = builder_.activation(3 * kPart);
        const TensorId id = builder_.view(whole_);
        builder_.program.tensors[id].size = kPart;
        builder_.program.tensors[id].view_offset = kPart * (parts_++ % 3);
        return id;
    }

    void add_view() {
        const TensorId of = any();
        const TensorId id = builder_.view(of);
        builder_.step("RESHAPE", {of}, {id});
        known_.push_back(id);
    }

    void permit(program::Step& step) {
        for (const program::Access& read : step.reads) {
            for (const program::Access& write : step.writes) {
                if (read.tensor == write.tensor || read.tensor == state_ ||
                    write.tensor == state_ || one_in(2)) {
                    continue;
                }
                program::Overlap overlap{read.tensor, write.tensor, 0, std::nullopt};
                overlap.below = *rc::gen::inRange<std::int64_t>(-100, 200);
                if (one_in(2)) overlap.above = *rc::gen::inRange<std::int64_t>(0, 200);
                const bool twice =
                    std::any_of(step.overlaps.begin(), step.overlaps.end(), [&](const auto& other) {
                        return other.input == overlap.input && other.output == overlap.output;
                    });
                if (!twice) step.overlaps.push_back(overlap);
            }
        }
    }

    Builder builder_;
    TensorId state_ = 0;
    TensorId whole_ = 0;
    std::size_t parts_ = 0;
    std::vector<TensorId> known_;  // that can be read
};

inline Program random_program() {
    return RandomProgram().build();
}

}  // namespace ingot::testing
