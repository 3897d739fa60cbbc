#include "cli/plan_grid.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "support/utf8.h"

namespace ingot::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kWidestSlot = 8;     // columns
constexpr std::size_t kLongestLabel = 24;  // characters

struct Rectangle {
    std::size_t first = 0;  // slots, inclusive
    std::size_t last = 0;
    std::uint64_t begin = 0;  // bytes
    std::uint64_t end = 0;
};

// How much of each cell is filled, in slots × bytes, as the tensors are laid in one by one.
class Filler {
  public:
    explicit Filler(Grid& grid)
        : grid_(grid),
          filled_(grid.cells.size(), 0),
          most_(grid.cells.size(), 0),
          overlap_(grid.cells.size(), 0) {}

    void add_tensor(std::size_t tensor, const Rectangle& r) {
        each(r, [&](std::size_t cell, std::uint64_t area) {
            filled_[cell] += area;
            if (area < most_[cell]) return;
            most_[cell] = area;
            grid_.cells[cell].tensor = tensor;
        });
    }

    void add_overlap(const Rectangle& r) {
        each(r, [&](std::size_t cell, std::uint64_t area) { overlap_[cell] += area; });
    }

    void finish() {
        for (std::size_t row = 0; row < grid_.rows; ++row) {
            for (std::size_t column = 0; column < grid_.columns; ++column) {
                const std::size_t cell = row * grid_.columns + column;
                const std::uint64_t area = grid_.row_bytes * slots(column);
                grid_.cells[cell].partly = 2 * filled_[cell] < area;
                grid_.cells[cell].overlap = overlap_[cell] > 0 && 2 * overlap_[cell] >= area;
            }
        }
    }

  private:
    // Of a widened slot every column shows the whole slot.
    std::size_t slots(std::size_t column) const {
        return std::max<std::size_t>(grid_.begins[column + 1] - grid_.begins[column], 1);
    }

    template <typename Visit>
    void each(const Rectangle& r, const Visit& visit) {
        if (r.begin >= r.end) return;
        const std::size_t top =
            std::min<std::size_t>((r.end - 1) / grid_.row_bytes, grid_.rows - 1);
        for (std::size_t column = 0; column < grid_.columns; ++column) {
            const std::size_t first = std::max(r.first, grid_.begins[column]);
            const std::size_t last = std::min(r.last, grid_.begins[column] + slots(column) - 1);
            if (first > last) continue;
            for (std::size_t row = r.begin / grid_.row_bytes; row <= top; ++row) {
                const std::uint64_t low = std::max(r.begin, row * grid_.row_bytes);
                const std::uint64_t high = std::min(r.end, (row + 1) * grid_.row_bytes);
                visit(row * grid_.columns + column, (last - first + 1) * (high - low));
            }
        }
    }

    Grid& grid_;
    std::vector<std::uint64_t> filled_;
    std::vector<std::uint64_t> most_;
    std::vector<std::uint64_t> overlap_;
};

Grid empty_grid(std::size_t slots, std::uint64_t top, std::size_t columns, std::size_t rows) {
    Grid grid;
    const std::size_t wide = std::min(columns / slots, kWidestSlot);
    grid.columns = wide > 0 ? wide * slots : columns;
    for (std::size_t c = 0; c <= grid.columns; ++c) {
        grid.begins.push_back(wide > 0 ? c / wide : c * slots / columns);
    }
    grid.row_bytes = std::max<std::uint64_t>((top + rows - 1) / rows, 1);
    grid.rows = std::max<std::size_t>((top + grid.row_bytes - 1) / grid.row_bytes, 1);
    grid.cells.resize(grid.rows * grid.columns);
    return grid;
}

// Tensors that touch get different shades, as far as the shades reach: the first that none of the
// neighbours has, in the order of the tensors.
void choose_shades(Grid& grid) {
    std::map<std::size_t, std::set<std::size_t>> neighbours;
    const auto meet = [&](const Cell& a, const Cell& b) {
        if (!a.tensor || !b.tensor || a.tensor == b.tensor) return;
        neighbours[*a.tensor].insert(*b.tensor);
        neighbours[*b.tensor].insert(*a.tensor);
    };
    for (std::size_t row = 0; row < grid.rows; ++row) {
        for (std::size_t column = 0; column < grid.columns; ++column) {
            if (row > 0) meet(grid.at(row, column), grid.at(row - 1, column));
            if (column > 0) meet(grid.at(row, column), grid.at(row, column - 1));
        }
    }
    std::map<std::size_t, std::size_t> shades;
    for (const auto& [tensor, around] : neighbours) {
        std::vector<bool> taken(kShades, false);
        for (const std::size_t other : around) {
            const auto found = shades.find(other);
            if (found != shades.end()) taken[found->second] = true;
        }
        const auto free = std::find(taken.begin(), taken.end(), false);
        shades[tensor] =
            free == taken.end() ? tensor % kShades : static_cast<std::size_t>(free - taken.begin());
    }
    for (Cell& cell : grid.cells) {
        if (cell.tensor) cell.shade = shades[*cell.tensor];
    }
}

// Writes a tensor's id where its row of cells is longest, the middle one of equally long ones,
// when that leaves a cell on both sides.
void write_labels(Grid& grid, const json& tensors) {
    struct Run {
        std::size_t row = 0;
        std::size_t column = 0;
        std::size_t length = 0;
    };
    std::map<std::size_t, std::vector<Run>> longest;
    for (std::size_t row = 0; row < grid.rows; ++row) {
        for (std::size_t begin = 0, end = 0; begin < grid.columns; begin = end) {
            const Cell& cell = grid.at(row, begin);
            end = begin + 1;
            while (end < grid.columns && grid.at(row, end).tensor == cell.tensor) {
                ++end;
            }
            if (!cell.tensor || cell.partly) continue;
            std::vector<Run>& runs = longest[*cell.tensor];
            if (!runs.empty() && runs.front().length > end - begin) continue;
            if (!runs.empty() && runs.front().length < end - begin) runs.clear();
            runs.push_back({row, begin, end - begin});
        }
    }
    for (const auto& [tensor, runs] : longest) {
        const std::string id = support::printable(
            tensors.at(tensor).at("id").get_ref<const std::string&>(), kLongestLabel);
        const Run& run = runs[runs.size() / 2];
        if (run.length < id.size() + 2) continue;
        const std::size_t begin = run.column + (run.length - id.size()) / 2;
        for (std::size_t i = 0; i < id.size(); ++i) grid.at(run.row, begin + i).label = id[i];
    }
}

}  // namespace

Grid arena_grid(const json& map, std::size_t arena, std::uint64_t top, std::size_t columns,
                std::size_t rows) {
    Grid grid = empty_grid(map.at("steps").size() + 2, top, columns, rows);
    Filler filler(grid);
    const json& tensors = map.at("tensors");
    // In the order of their births, so that where one lies over another the later one is shown.
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (tensors[i].at("arena") == arena && tensors[i].at("view_of").is_null())
            order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return tensors[a].at("first") < tensors[b].at("first");
    });
    for (const std::size_t i : order) {
        const json& t = tensors[i];
        const auto offset = t.at("offset").get<std::uint64_t>();
        filler.add_tensor(
            i, {t.at("first"), t.at("last"), offset, offset + t.at("size").get<std::uint64_t>()});
    }
    for (const json& overlap : map.at("overlaps")) {
        if (overlap.at("arena") != arena) continue;
        const auto offset = overlap.at("offset").get<std::uint64_t>();
        filler.add_overlap({overlap.at("slot"), overlap.at("slot"), offset,
                            offset + overlap.at("size").get<std::uint64_t>()});
    }
    filler.finish();
    choose_shades(grid);
    write_labels(grid, tensors);
    return grid;
}

}  // namespace ingot::cli
