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

/// An inception module of 28 x 28 x 192 (GoogLeNet's 3a, int8) whose operators stand as they do
/// after a walk breadth first: the four branches take turns, and a concatenation joins them.
inline Program inception() {
    constexpr std::size_t kPlane = 28 * 28;
    Builder b;
    const TensorId input = b.activation(kPlane * 192);
    b.program.inputs = {input};
    const auto after = [&](TensorId from, std::size_t channels) {
        const TensorId to = b.activation(kPlane * channels);
        b.step("CONV_2D", {from}, {to});
        return to;
    };
    const TensorId one = after(input, 64);
    const TensorId reduced_3 = after(input, 96);
    const TensorId reduced_5 = after(input, 16);
    const TensorId pooled = after(input, 192);
    const TensorId three = after(reduced_3, 128);
    const TensorId five = after(reduced_5, 32);
    const TensorId projected = after(pooled, 32);
    const TensorId joined = b.activation(kPlane * 256);
    b.step("CONCATENATION", {one, three, five, projected}, {joined});
    b.program.outputs = {after(joined, 16)};
    return std::move(b.program);
}

/// A chain of cells like those that DARTS finds, in their own order of edges: four nodes, each the
/// sum of two separable convolutions (expanded to `kExpansion` times the channels in between) of
/// earlier nodes or of the two cells before; the cell's output joins the four.
inline Program searched_cells(std::size_t cells) {
    constexpr std::size_t kNode = 16 * 16 * 16;
    constexpr std::size_t kExpansion = 3;
    constexpr std::size_t kEdges[4][2] = {{0, 1}, {0, 1}, {1, 2}, {0, 3}};
    Builder b;
    const auto after = [&](const std::vector<TensorId>& from, std::size_t size) {
        const TensorId to = b.activation(size);
        b.step("WORK", from, {to});
        return to;
    };
    TensorId before = b.activation(kNode);
    TensorId last = before;
    b.program.inputs = {before};
    for (std::size_t c = 0; c < cells; ++c) {
        std::vector<TensorId> nodes{before, last};
        for (const auto& edges : kEdges) {
            std::vector<TensorId> wide;
            for (std::size_t edge : edges) wide.push_back(after({nodes[edge]}, kExpansion * kNode));
            std::vector<TensorId> terms;
            for (TensorId term : wide) terms.push_back(after({term}, kNode));
            nodes.push_back(after(terms, kNode));
        }
        const TensorId joined = after({nodes[2], nodes[3], nodes[4], nodes[5]}, 4 * kNode);
        before = last;
        last = after({joined}, kNode);
    }
    b.program.outputs = {last};
    return std::move(b.program);
}

/// Nodes wired at random (as in randomly wired networks, Xie et al. 2019), each an expansion, a
/// reduction and before them a sum of what comes in.
inline Program random_wiring(std::size_t nodes, unsigned seed) {
    constexpr std::size_t kNode = 1024;
    Builder b;
    std::vector<TensorId> outputs{b.activation(kNode)};
    b.program.inputs = outputs;
    std::vector<bool> read(nodes + 1, false);
    const auto random = [&seed] { return (seed = seed * 1664525U + 1013904223U) >> 16U; };
    for (std::size_t n = 0; n < nodes; ++n) {
        std::set<std::size_t> from{random() % outputs.size()};
        from.insert(random() % outputs.size());
        std::vector<TensorId> terms;
        for (std::size_t f : from) {
            terms.push_back(outputs[f]);
            read[f] = true;
        }
        const TensorId wide = b.activation(kNode * (1 + random() % 4));
        b.step("SUM", terms, {wide});
        outputs.push_back(b.activation(kNode * (1 + random() % 2)));
        b.step("CONV_2D", {wide}, {outputs.back()});
    }
    std::vector<TensorId> ends;
    for (std::size_t n = 0; n <= nodes; ++n) {
        if (!read[n]) ends.push_back(outputs[n]);
    }
    b.program.outputs = {b.activation(kNode)};
    b.step("SUM", ends, b.program.outputs);
    return std::move(b.program);
}

/// `branches` of `length` steps between a fork and a join, in turns; each branch is wide in every
/// second place.
inline Program branches(std::size_t branches, std::size_t length) {
    Builder b;
    const TensorId input = b.activation(64);
    b.program.inputs = {input};
    std::vector<TensorId> at(branches, input);
    for (std::size_t step = 0; step < length; ++step) {
        for (TensorId& branch : at) {
            const TensorId next = b.activation(step % 2 == 0 ? 4096 : 64);
            b.step("CONV_2D", {branch}, {next});
            branch = next;
        }
    }
    b.program.outputs = {b.activation(64)};
    b.step("CONCATENATION", at, b.program.outputs);
    return std::move(b.program);
}

/// A chain in which every step also reads what was written `skip` steps before.
inline Program skipping_chain(std::size_t length, std::size_t skip) {
    Builder b;
    std::vector<TensorId> all{b.activation(256)};
    b.program.inputs = all;
    for (std::size_t step = 0; step < length; ++step) {
        std::vector<TensorId> reads{all.back()};
        if (all.size() > skip) reads.push_back(all[all.size() - 1 - skip]);
        all.push_back(b.activation(64 + 32 * (step % 7)));
        b.step("ADD", reads, {all.back()});
    }
    b.program.outputs = {all.back()};
    return std::move(b.program);
}

}  // namespace ingot::testing
