// The cells of a picture of an arena: which tensor fills which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ingot::cli {

/// What one character shows: some slots of time across some bytes of addresses.
struct Cell {
    std::optional<std::size_t> tensor;  ///< the one that fills most of it; an index of the map
    bool partly = false;                ///< less than half of it is filled
    bool overlap = false;               ///< half of it or more is an output over an input
    std::size_t shade = 0;  ///< differs from those of tensors next to it, below kShades if it can
    char label = 0;         ///< a character of the tensor's id
};

inline constexpr std::size_t kShades = 4;

struct Grid {
    std::size_t columns = 0;
    std::size_t rows = 0;
    std::uint64_t row_bytes = 1;      ///< addresses of a row
    std::vector<std::size_t> begins;  ///< by column, and one more: the first slot of each
    std::vector<Cell> cells;          ///< row by row from address 0 up

    const Cell& at(std::size_t row, std::size_t column) const {
        return cells.at(row * columns + column);
    }
    Cell& at(std::size_t row, std::size_t column) { return cells.at(row * columns + column); }
};

/// Fills a grid of at most `columns` × `rows` cells with arena number `arena` of the map; slots
/// are binned when there are more of them than columns, and widened when there are fewer. `top`:
/// the address at the upper edge.
Grid arena_grid(const nlohmann::json& map, std::size_t arena, std::uint64_t top,
                std::size_t columns, std::size_t rows);

}  // namespace ingot::cli
