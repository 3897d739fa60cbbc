// Exact packing of the buffers of one arena, in the family of MiniMalloc (Moffitt, "MiniMalloc: A
// Lightweight Memory Allocator for Hardware-Accelerated Machine Learning", ASPLOS 2023).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "memory/offsets.h"

namespace ingot::memory {

/// Looks for a packing below a given height. Buffers are placed by ascending offset, each at the
/// lowest offset that those before it leave ("canonical solutions": every packing can be pushed
/// down into one). A branch is left as soon as
///  * in some section (steps between which nothing changes) the lowest offset still possible plus
///    the bytes still to be placed exceed the height ("section inference");
///  * a buffer would be placed above one that fits wholly beneath it ("dominance");
///  * the buffers left over in some steps have failed before from the same offsets, or failed
///    without the last placement having had a part in it.
/// Buffers that share no step with each other are searched apart ("dynamic decomposition").
///
/// Two buffers with a distance (Distance) need only that much between their beginnings; what they
/// may share at most is not counted in their section while both are to be placed. Fixed buffers
/// are placed from the start and leave gaps in the offsets of those that live with them.
class ExactSearch {
  public:
    enum class Verdict {
        found,       ///< offsets() holds a packing
        impossible,  ///< there is none
        unknown,     ///< the budget was used up
    };

    /// Refers to nothing of `problem` later. Fixed buffers must not be in each other's way.
    explicit ExactSearch(const OffsetProblem& problem);

    /// overlap_bound, or the end of a fixed buffer: no packing is lower.
    std::size_t bound() const { return bound_; }
    /// Every height of a canonical solution is a multiple of this.
    std::size_t granularity() const { return granularity_; }

    /// What buffers of equal lowest offset are ordered by, each descending.
    enum class Key {
        pressure,        ///< the most bytes live in one of its sections
        length,          ///< its length of life
        area,            ///< size times length
        failures,        ///< how often its sections have ended a branch, in all searches so far
        failure_volume,  ///< size times failures
    };

    /// The order in which buffers of equal lowest offset are tried: by `keys`, the most significant
    /// first, each times a random factor within 1 - noise … 1 + noise (noise below 1), drawn from
    /// `seed`. Older failures count less at each call, so that restarts learn from the last ones:
    /// the "weighted degree" of constraint programming (Boussemart, Hemery, Lecoutre and Sais,
    /// 2004).
    void set_order(const std::array<Key, 3>& keys, double noise, std::uint64_t seed);

    /// Searches for a packing of at most `height` bytes, visiting at most `nodes` partial packings
    /// with at most `open` unplaced buffers together.
    Verdict pack(std::size_t height, std::uint64_t nodes, std::uint64_t open);

    /// By buffer, after `found`.
    const std::vector<std::size_t>& offsets() const { return offsets_; }
    /// Partial packings visited so far, by all searches.
    std::uint64_t nodes() const { return nodes_; }
    /// Unplaced buffers of all of them: what the time taken is in proportion to.
    std::uint64_t open() const { return open_; }

  private:
    using Index = std::uint32_t;
    using Bytes = std::int64_t;

    struct Candidate {
        Bytes offset = 0;
        Index rank = 0;
        Index buffer = 0;
    };
    /// The placement that a node stands on: nothing below is placed any more.
    struct Last {
        Bytes offset = -1;
        Index rank = 0;
        Index buffer = 0;
    };
    /// A buffer that lives together with another one, and how far above that it must begin.
    struct Neighbour {
        Index buffer = 0;
        Bytes distance = 0;
    };
    /// Offsets that a fixed buffer takes away: all between.
    struct Gap {
        Bytes after = 0;
        Bytes before = 0;
    };
    /// A buffer that begins in a section over some that end there, and what it may share with each.
    struct Sharing {
        Index section = 0;
        Index later = 0;
        std::vector<std::pair<Index, Bytes>> earlier;
    };
    /// Buffers that are not placed: a range of pool_, by first section ascending.
    struct Range {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::size_t count() const { return end - begin; }
    };
    /// Open buffers that hang together: no section between theirs is free of them.
    struct Part {
        Range open;
        Index begin = 0;  // sections
        Index end = 0;
        Range by_low;  // the same buffers in by_low_, the lowest first
    };
    enum class Outcome { done, failed, failed_regardless };

    void build_sections(const std::vector<Buffer>& buffers);
    void build_neighbours(const OffsetProblem& problem);
    void build_sharings(const OffsetProblem& problem);
    void build_gaps(const OffsetProblem& problem);
    Bytes shared(const Sharing& sharing) const;
    void set_placed(Index buffer, bool placed);
    double value(Key key, Index buffer) const;
    bool node(Range open, Last last);
    std::uint64_t fingerprint(Range open, Last last) const;
    Part survey(Range open);
    bool stacks(const Part& part, Last last);
    bool collect(const Part& part, Last last);
    bool out_of_turn(Index buffer, Bytes low, Last last) const;
    Outcome place(const Candidate& candidate, const Part& part, Last last, bool& has_neighbours);
    bool fits(const Candidate& placed, const Part& before, std::size_t trail);
    bool give_floor(Index buffer, Bytes low, std::size_t& left);
    Index unfloored(Index section);
    Outcome solve_parts(Range open, Last last, Last before);
    bool unchanged(Range part, std::uint64_t placement, Last last, Last before) const;
    void reopen(Range part);
    void unplace(const Candidate& candidate, std::size_t lows);
    Bytes free_from(Index buffer, Bytes offset) const;
    /// The lowest offset that the buffer may have at or above `floor`.
    Bytes effective(Index buffer, Bytes floor) const {
        const Bytes low = lows_[buffer] > floor ? lows_[buffer] : floor;
        return plain_ ? low : free_from(buffer, low);
    }

    // The problem.
    std::vector<Bytes> sizes_;
    std::vector<Index> begin_;  // first section, by buffer
    std::vector<Index> end_;    // behind the last section
    std::vector<double> length_;
    std::vector<Bytes> pressure_;
    std::vector<std::vector<Neighbour>> neighbours_;
    std::vector<Sharing> sharings_;
    std::vector<std::vector<Index>> sharings_of_;  // by buffer
    bool plain_ = true;  // no buffer has an alignment of its own or a fixed neighbour
    std::vector<Bytes> alignments_;
    std::vector<std::optional<Bytes>> fixed_;
    std::vector<std::vector<Gap>> gaps_;  // by buffer, ascending
    std::vector<Bytes> section_bytes_;
    std::size_t bound_ = 0;
    std::size_t granularity_ = 1;
    std::vector<Index> rank_;
    std::vector<double> failures_;  // by section

    // One search.
    Bytes height_ = 0;
    std::uint64_t node_limit_ = 0;
    std::uint64_t open_limit_ = 0;
    std::uint64_t nodes_ = 0;
    std::uint64_t open_ = 0;
    bool exhausted_ = false;
    std::vector<std::size_t> offsets_;
    std::vector<Bytes> lows_;  // lowest offset above the placed neighbours, by buffer
    std::vector<char> placed_;
    std::vector<Bytes> open_bytes_;       // not yet placed, by section
    std::vector<std::uint64_t> changed_;  // the placement that raised lows_ last, by buffer
    std::uint64_t stamp_ = 0;
    std::vector<std::pair<Index, Bytes>> old_lows_;  // a trail: what to restore
    std::vector<Index> by_low_;                      // of the nodes on the way
    std::vector<Bytes> stacked_;                     // of stacks(), by section
    std::vector<Index> raised_;                      // of fits(), by the last placement
    std::vector<Index> next_;  // of fits(), by section: itself, or one behind that has a floor
    std::vector<Index> pool_;
    std::vector<Candidate> candidates_;
    std::unordered_set<std::uint64_t> failed_;
};

}  // namespace ingot::memory
