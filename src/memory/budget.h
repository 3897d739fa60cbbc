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

/// Keeps account of the bytes in every memory. Scratch counts as the most bytes live in one
/// step, which no arena without overlap can go below.
class Ledger {
  public:
    explicit Ledger(const Problem& problem);

    void add(std::size_t item, const Candidate& where) { change(item, where, 1); }
    void remove(std::size_t item, const Candidate& where) { change(item, where, -1); }

    /// Bytes in a memory, arenas rounded up to their alignments.
    std::uint64_t used(std::size_t memory) const { return used_[memory]; }

    /// The live bytes of the scratch arena in a memory, or null.
    const Profile* scratch(std::size_t memory) const { return profiles_[memory].get(); }

  private:
    struct Arena {
        std::uint64_t bytes = 0;                        // not rounded
        std::map<std::size_t, std::size_t> alignments;  // of its items, and how many have it
        std::map<std::size_t, std::size_t> contents;    // constants: how many share these bytes
        std::uint64_t rounded() const;
    };

    void change(std::size_t item, const Candidate& where, int sign);
    void count(Arena& arena, std::size_t item, const Candidate& where, int sign);

    const Problem& problem_;
    std::vector<std::uint64_t> used_;
    std::vector<std::unique_ptr<Profile>> profiles_;  // by memory
    std::map<std::tuple<Role, std::size_t, std::size_t>, Arena> arenas_;
};

/// Every item in its first memory.
Choices first_choices(const Problem& problem);

/// The memories that are over their budgets under `choices`.
std::vector<std::size_t> overfull(const Problem& problem, const Choices& choices);

/// Persistent state first, then what has no alternative, then by benefit (bytes touched an
/// inference for each byte of memory), each in the first memory of its list that has room after
/// `reserve` bytes (by memory) are left free. When that leaves something over, two other orders
/// are tried: fewest alternatives first, and largest first. Nothing when none works.
std::optional<Choices> assign(const Problem& problem, const std::vector<std::uint64_t>& reserve);

/// As `assign` by benefit, but what fits nowhere is put into the last memory of its list: what
/// the table of a failure shows.
Choices assign_overfull(const Problem& problem);

}  // namespace ingot::memory
