// Which of its candidate memories each item gets, so that every budget holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "memory/items.h"
#include "memory/overlaps.h"
#include "memory/profile.h"
#include "memory/rules.h"

namespace ingot::memory {

/// What assignment works on; refers to what its maker owns.
struct Problem {
    const program::Program& program;
    const platforms::Platform& platform;
    const std::vector<Item>& items;
    const std::vector<Wish>& wishes;
    std::vector<std::optional<std::uint64_t>> budgets;  ///< bytes by memory; nothing: no limit
    std::vector<ItemOverlap> overlaps;                  ///< of all items, wherever they are
    std::vector<std::size_t> content;  ///< by item: the first item with the same constant bytes
};

/// A memory's size lowered by `constraints`, bytes; nothing when there is no limit.
std::optional<std::uint64_t> budget(const platforms::Memory& memory,
                                    const std::vector<config::MemoryConstraint>& constraints);

/// The platform's sizes lowered by `constraints`; nothing is limited when `ignore` is set.
std::vector<std::optional<std::uint64_t>> budgets(
    const platforms::Platform& platform, const std::vector<config::MemoryConstraint>& constraints,
    bool ignore);

/// Problem::content. Equal constants that are in one region share one place.
std::vector<std::size_t> equal_contents(const program::Program& program,
                                        const std::vector<Item>& items);

/// The candidate chosen, by item: an index into its wish's candidates.
using Choices = std::vector<std::size_t>;

/// Keeps account of the bytes in every memory. Scratch counts as the most bytes live in one step
/// less what outputs may share with inputs that are in the same memory, or as the end of a fixed
/// tensor: no arena is smaller.
class Ledger {
  public:
    explicit Ledger(const Problem& problem);
    /// With every item where `choices` say.
    Ledger(const Problem& problem, const Choices& choices);

    void add(std::size_t item, const Candidate& where) { change(item, where, 1); }
    void remove(std::size_t item, const Candidate& where) { change(item, where, -1); }

    /// Bytes in a memory, arenas rounded up to their alignments.
    std::uint64_t used(std::size_t memory) const { return used_[memory]; }
    /// The same, not rounded.
    std::uint64_t raw(std::size_t memory) const { return raw_[memory]; }
    /// Bytes that a memory is over its budget when `reserve` bytes of it are to stay free.
    std::uint64_t over(std::size_t memory, std::uint64_t reserve = 0) const;

    /// The live bytes of the scratch arena in a memory, or null.
    const Profile* scratch(std::size_t memory) const { return profiles_[memory].get(); }

  private:
    struct Arena {
        std::uint64_t bytes = 0;                        // not rounded
        std::map<std::size_t, std::size_t> alignments;  // of its items, and how many have it
        std::map<std::size_t, std::size_t> contents;    // constants: how many share these bytes
        std::map<std::size_t, std::size_t> ends;        // of fixed tensors, and how many have it
        std::uint64_t rounded() const;
    };

    void change(std::size_t item, const Candidate& where, int sign);
    void count(Arena& arena, std::size_t item, const Candidate& where, int sign);
    void count_scratch(Arena& arena, std::size_t item, std::size_t memory, int sign);
    void share(std::size_t item, std::size_t memory, int sign);

    const Problem& problem_;
    std::vector<std::uint64_t> used_;
    std::vector<std::uint64_t> raw_;
    std::vector<std::unique_ptr<Profile>> profiles_;  // by memory
    std::map<std::tuple<Role, std::size_t, std::size_t>, Arena> arenas_;
    std::vector<std::vector<std::size_t>> overlaps_;  // by item: those it takes part in
    std::vector<std::size_t> memory_of_;              // by item, of scratch that is placed
    std::vector<std::uint64_t> shared_;               // by output: bytes, over all its inputs
};

/// Every item in its first memory.
Choices first_choices(const Problem& problem);

}  // namespace ingot::memory
