// The freedom in the order of a program's steps, and what a step costs in a given state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/program.h"

namespace ingot::memory {

/// A set of steps, one bit each.
class StepSet {
  public:
    static constexpr std::size_t kBits = 64;

    explicit StepSet(std::size_t steps) : words_((steps + kBits - 1) / kBits, 0) {}
    bool has(std::size_t step) const { return (words_[step / kBits] >> (step % kBits) & 1) != 0; }
    void add(std::size_t step) { words_[step / kBits] |= std::uint64_t{1} << (step % kBits); }
    const std::vector<std::uint64_t>& words() const { return words_; }
    bool operator==(const StepSet&) const = default;

  private:
    std::vector<std::uint64_t> words_;
};

/// What a step does to the bytes that are live.
struct StepCost {
    std::size_t during = 0;  ///< bytes more than before it, while it runs
    std::size_t begun = 0;   ///< bytes that begin with it
    std::size_t ended = 0;   ///< bytes that end with it

    std::size_t after(std::size_t live) const { return live + begun - ended; }
    bool grows() const { return begun > ended; }
};

/// Steps, what must run before what, and the scratch memory they use.
struct OrderGraph {
    /// Bytes with one lifetime: a tensor together with its views.
    struct Buffer {
        std::size_t size = 0;            ///< bytes, rounded up to kTensorAlignment
        std::vector<std::size_t> users;  ///< steps that use it, ascending
        bool begun = false;              ///< live before the first step
        bool held = false;               ///< live after the last step
    };
    /// Bytes that an output shares with an input when the input dies in its step and the output
    /// begins there.
    struct Share {
        std::size_t input = 0;   ///< index into buffers
        std::size_t output = 0;  ///< likewise; those of one output stand together
        std::size_t bytes = 0;
    };
    struct Node {
        std::vector<std::size_t> before;   ///< steps that must run before it, ascending
        std::vector<std::size_t> after;    ///< steps that must run after it, ascending
        std::vector<std::size_t> buffers;  ///< that it uses
        std::vector<Share> shares;
    };

    std::vector<Node> steps;      ///< in the model's order, which is one of those possible
    std::vector<Buffer> buffers;  ///< at least one user each
    std::size_t base = 0;         ///< bytes live all the time that no step uses
    std::size_t at_ends = 0;      ///< bytes live before the first or after the last step, the more

    /// Bytes live before the first step that some step uses, and `base`.
    std::size_t live_at_start() const;
    /// The cost of a step when those of `done` have run and it has not.
    StepCost cost(std::size_t step, const StepSet& done) const;
    /// No order needs less in this step, bytes.
    std::size_t least(std::size_t step) const;
    /// Bytes live in each step of an order of all the steps, by place in that order.
    std::vector<std::size_t> live(const std::vector<std::size_t>& order) const;
};

/// The graph of a program. What must keep its order: reads and writes of the same bytes when at
/// least one writes, also through views and of state; a tensor's first write and its reads; custom
/// operators, whose effects nobody knows. A view moves no byte: it only reads.
OrderGraph order_graph(const program::Program& program, bool inputs_overwritable);

/// The steps from `first` up to, but without, `last`, when those before have run and those behind
/// follow; `live` bytes are live before them.
OrderGraph part(const OrderGraph& graph, std::size_t first, std::size_t last, std::size_t live);

}  // namespace ingot::memory
