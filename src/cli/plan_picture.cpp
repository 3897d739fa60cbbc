#include "cli/plan_picture.h"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "cli/plan_grid.h"
#include "cli/summary.h"
#include "support/utf8.h"

namespace ingot::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kRows = 16;
constexpr std::size_t kLongestName = 40;  // code points
constexpr const char* kReset = "\x1b[0m";
constexpr const char* kBold = "\x1b[1m";

// The characters of a picture.
struct Glyphs {
    const char* shades[kShades];
    const char* partly;
    const char* overlap;
    const char* level;  // where nothing is, in the row of a bound
    const char* axis;
    const char* tick;
    const char* corner;
    const char* floor;
    const char* mark;
};

constexpr Glyphs kBlocks = {{"░", "▒", "▓", "█"}, "·", "╳", "╌", "│", "┤", "└", "─", "▲"};
constexpr Glyphs kAscii = {{":", "+", "%", "#"}, ".", "X", "-", "|", "+", "+", "-", "^"};

// Backgrounds for the shades: colours of the 256 that black text is legible on.
constexpr int kColours[kShades] = {110, 150, 216, 182};

std::uint64_t number(const json& object, const char* key) {
    return object.at(key).get<std::uint64_t>();
}

std::string step_name(const json& map, std::size_t slot) {
    const json& steps = map.at("steps");
    if (slot == 0) return "the inputs";
    if (slot > steps.size()) return "the outputs";
    const json& step = steps[slot - 1];
    return fmt::format("operator {} ({} {})", step.at("id").get<std::int64_t>(),
                       step.at("type").get<std::string>(), step.at("name").get<std::string>());
}

// `in`, `out`, or the operator's number.
std::string slot_label(const json& map, std::size_t slot) {
    const json& steps = map.at("steps");
    if (slot == 0) return "in";
    if (slot > steps.size()) return "out";
    return std::to_string(steps[slot - 1].at("id").get<std::int64_t>());
}

class Picture {
  public:
    Picture(const json& map, std::size_t arena, const PictureStyle& style)
        : map_(map),
          arena_(map.at("arenas").at(arena)),
          index_(arena),
          style_(style),
          glyphs_(style.utf8 ? kBlocks : kAscii) {}

    std::string draw() {
        levels_ = {{number(arena_, "used"), "used"}};
        add_level("overlap_lower_bound", "bound");
        add_level("lower_bound", "liveness");
        std::uint64_t top = 0;
        for (const auto& [height, label] : levels_) {
            top = std::max(top, height);
            margin_ = std::max(margin_, label.size() + 1 + grouped(height).size());
        }
        const std::size_t frame = margin_ + 4;  // two blanks, one before the axis, the axis
        const auto steps = static_cast<std::size_t>(top / number(arena_, "alignment"));
        grid_ = arena_grid(map_, index_, top, style_.width > frame + 8 ? style_.width - frame : 8,
                           std::clamp<std::size_t>(steps, 1, kRows));
        std::string text = title();
        for (std::size_t row = grid_.rows; row-- > 0;) text += line(row);
        return text + time_axis() + legend() + peak_table();
    }

  private:
    // A bound that another level says already is not drawn.
    void add_level(const char* key, const char* label) {
        const std::uint64_t height = number(arena_, key);
        for (const auto& level : levels_) {
            if (level.first == height) return;
        }
        levels_.emplace_back(height, label);
    }

    std::string bold(const std::string& text) const {
        return style_.colours ? kBold + text + kReset : text;
    }

    std::string title() const {
        const std::uint64_t used = number(arena_, "used");
        std::string text = "\n" + bold(arena_.at("name").get<std::string>()) +
                           fmt::format("  scratch in {}: {} bytes",
                                       arena_.at("memory").get<std::string>(), grouped(used));
        if (!arena_.at("limit").is_null()) {
            const std::uint64_t limit = number(arena_, "limit");
            text +=
                fmt::format(" of {}{}", grouped(limit), used > limit ? ", more than there is" : "");
        }
        text += fmt::format("\n  at least {} bytes are needed, without overlap {}; {}\n",
                            grouped(number(arena_, "overlap_lower_bound")),
                            grouped(number(arena_, "lower_bound")),
                            arena_.at("optimal").get<bool>() ? "this plan is proven minimal"
                                                             : "this plan isn't proven minimal");
        return text;
    }

    // The label of the highest level whose upper edge is in the row.
    std::pair<std::string, bool> level_label(std::size_t row) const {
        for (const auto& [height, label] : levels_) {
            if (height > 0 && (height - 1) / grid_.row_bytes == row) {
                return {label + " " + grouped(height), true};
            }
        }
        return {"", false};
    }

    // Overlap is hatched: every second cell keeps the shade of the tensor on top.
    std::string glyph(const Cell& cell, bool level, bool hatched) const {
        if (!cell.tensor) return level ? glyphs_.level : " ";
        if (cell.label != 0) return std::string(1, cell.label);
        if (cell.overlap && hatched) return glyphs_.overlap;
        if (cell.partly) return glyphs_.partly;
        return style_.colours ? " " : glyphs_.shades[cell.shade];
    }

    // The colour of a cell's background; 0 for none.
    int colour(const Cell& cell) const {
        return style_.colours && cell.tensor && !cell.partly ? kColours[cell.shade] : 0;
    }

    std::string line(std::size_t row) const {
        const auto [label, level] = level_label(row);
        std::string text =
            fmt::format("  {:>{}} {}", label, margin_, level ? glyphs_.tick : glyphs_.axis);
        int present = 0;
        for (std::size_t column = 0; column < grid_.columns; ++column) {
            const Cell& cell = grid_.at(row, column);
            if (const int wanted = colour(cell); wanted != present) {
                text += wanted == 0 ? kReset : fmt::format("\x1b[30;48;5;{}m", wanted);
                present = wanted;
            }
            text += glyph(cell, level, (row + column) % 2 == 0);
        }
        if (present != 0) text += kReset;
        text.erase(text.find_last_not_of(' ') + 1);
        return text + "\n";
    }

    std::string time_axis() const {
        const std::string indent(margin_ + 3, ' ');
        std::string text = fmt::format("  {:>{}} {}", "0", margin_, glyphs_.corner);
        for (std::size_t i = 0; i < grid_.columns; ++i) text += glyphs_.floor;
        std::string labels(grid_.columns + 8, ' ');
        std::size_t free = 0;
        std::size_t mark = 0;
        const auto peak = static_cast<std::size_t>(number(arena_, "peak"));
        for (std::size_t column = 0; column < grid_.columns; ++column) {
            const bool begins = column == 0 || grid_.begins[column] != grid_.begins[column - 1];
            if (grid_.begins[column] <= peak && begins) mark = column;
            const std::string label = slot_label(map_, grid_.begins[column]);
            if (!begins || column < free) continue;
            labels.replace(column, label.size(), label);
            free = column + label.size() + 2;
        }
        labels.erase(labels.find_last_not_of(' ') + 1);
        return text + "\n" + indent + " " + labels + "\n" + indent + " " + std::string(mark, ' ') +
               glyphs_.mark + "\n";
    }

    std::string legend() const {
        const bool overlaps = std::any_of(grid_.cells.begin(), grid_.cells.end(),
                                          [](const Cell& cell) { return cell.overlap; });
        std::string text = "  time: operators in the order of execution";
        if (overlaps) {
            text += fmt::format("; {} an output over an input that it consumes", glyphs_.overlap);
        }
        return text + "\n";
    }

    std::string peak_table() const {
        const auto peak = static_cast<std::size_t>(number(arena_, "peak"));
        std::vector<const json*> live;
        for (const json& t : map_.at("tensors")) {
            if (t.at("arena") != index_ || !t.at("view_of").is_null()) continue;
            if (number(t, "first") <= peak && peak <= number(t, "last")) live.push_back(&t);
        }
        std::stable_sort(live.begin(), live.end(), [](const json* a, const json* b) {
            return number(*a, "offset") > number(*b, "offset");
        });
        std::vector<std::vector<std::string>> rows = {
            {"tensor", "what", "name", "from", "to", "offset", "bytes"}};
        for (const json* t : live) {
            rows.push_back({t->at("id").get<std::string>(), t->at("kind").get<std::string>(),
                            support::printable(t->at("name").get<std::string>(), kLongestName),
                            slot_label(map_, number(*t, "first")),
                            slot_label(map_, number(*t, "last")), grouped(number(*t, "offset")),
                            grouped(number(*t, "size"))});
        }
        return fmt::format("  {} peak: {} bytes at {}\n", glyphs_.mark,
                           grouped(arena_.at("occupied").at(peak).get<std::uint64_t>()),
                           step_name(map_, peak)) +
               table(rows, 3);
    }

    const json& map_;
    const json& arena_;
    std::size_t index_;
    PictureStyle style_;
    const Glyphs& glyphs_;
    std::vector<std::pair<std::uint64_t, std::string>> levels_;
    std::size_t margin_ = 0;
    Grid grid_;
};

std::string arenas_table(const json& map) {
    std::vector<std::vector<std::string>> rows = {{"arena", "memory", "used", "limit", "bound"}};
    for (const json& arena : map.at("arenas")) {
        const std::string memory = arena.at("memory");
        const std::string source = arena.at("source_memory");
        const bool scratch = arena.at("role") == "scratch";
        rows.push_back({arena.at("role").get<std::string>(),
                        memory == source ? memory : memory + " < " + source,
                        grouped(number(arena, "used")),
                        arena.at("limit").is_null() ? "no limit" : grouped(number(arena, "limit")),
                        scratch ? grouped(number(arena, "overlap_lower_bound")) : ""});
    }
    return table(rows, 2);
}

bool utf8_locale() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* value = std::getenv(name);
        if (value == nullptr || *value == '\0') continue;
        std::string locale = value;
        std::transform(locale.begin(), locale.end(), locale.begin(), [](unsigned char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : static_cast<char>(c);
        });
        return locale.find("utf-8") != std::string::npos ||
               locale.find("utf8") != std::string::npos;
    }
    return false;
}

std::size_t terminal_width() {
    constexpr std::size_t kUsual = 80;
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
    return size.ws_col;
}

}  // namespace

std::string plan_picture(const json& map, const PictureStyle& style) {
    PictureStyle wide = style;
    wide.width = std::max(style.width, kNarrowest);
    std::string text =
        fmt::format("model  {} on {}, planner {}\n",
                    support::printable(map.at("model").get<std::string>(), kLongestName),
                    map.at("platform").get<std::string>(), map.at("planner").get<std::string>());
    text += arenas_table(map);
    for (std::size_t i = 0; i < map.at("arenas").size(); ++i) {
        if (map.at("arenas")[i].at("role") == "scratch") text += Picture(map, i, wide).draw();
    }
    return text;
}

PictureStyle picture_style(std::size_t width, bool ascii, bool colours) {
    PictureStyle style;
    style.width = width > 0 ? width : terminal_width();
    style.utf8 = !ascii && utf8_locale();
    style.colours = colours;
    return style;
}

}  // namespace ingot::cli
