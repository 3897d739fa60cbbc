// ingot-plan-bench FILE.csv...: the offset planner on benchmark instances.
//
// A file has a header and a line for each buffer; the columns `id`, `lower`, `upper` and `size` may
// stand in any order, others are left alone. A buffer of `size` bytes is live from `lower` up to,
// not including, `upper`: the format of MiniMalloc's published instances (Moffitt, ASPLOS 2023).
//
// Prints for each file: name height lower_bound proven|open nodes seconds. With --offsets also the
// packing, as lines `id,offset`. Exit status 2 for a file that can't be read.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "memory/offsets.h"

namespace {

using ingot::memory::Buffer;
using ingot::memory::OffsetProblem;
using ingot::memory::Offsets;

struct Instance {
    std::vector<std::string> ids;
    OffsetProblem problem;
};

std::vector<std::string> split(std::string line) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    std::vector<std::string> cells;
    std::size_t begin = 0;
    for (std::size_t comma = 0; comma != std::string::npos; begin = comma + 1) {
        comma = line.find(',', begin);
        cells.push_back(line.substr(begin, comma == std::string::npos ? comma : comma - begin));
    }
    return cells;
}

std::int64_t number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        throw std::runtime_error(fmt::format("'{}' is not a number", text));
    }
    return value;
}

std::map<std::string, std::size_t> columns(const std::string& header) {
    std::map<std::string, std::size_t> result;
    const std::vector<std::string> names = split(header);
    for (std::size_t i = 0; i < names.size(); ++i) result.emplace(names[i], i);
    for (const char* name : {"id", "lower", "upper", "size"}) {
        if (result.count(name) == 0) {
            throw std::runtime_error(fmt::format("the header has no column '{}'", name));
        }
    }
    return result;
}

void add(Instance& instance, const std::map<std::string, std::size_t>& column,
         const std::vector<std::string>& cells) {
    if (cells.size() < column.size()) throw std::runtime_error("fewer columns than the header");
    const std::int64_t lower = number(cells[column.at("lower")]);
    const std::int64_t upper = number(cells[column.at("upper")]);
    const std::int64_t size = number(cells[column.at("size")]);
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    if (size < 1 || size > kMost || lower < -kMost || upper > kMost || upper <= lower) {
        throw std::runtime_error("a size below 1, or a life that is empty or out of range");
    }
    instance.ids.push_back(cells[column.at("id")]);
    Buffer buffer;
    buffer.size = static_cast<std::size_t>(size);
    buffer.lifetime = {lower, upper - 1};
    instance.problem.buffers.push_back(buffer);
}

Instance read(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line)) throw std::runtime_error("can't be read, or is empty");
    Instance instance;
    const auto column = columns(line);
    while (std::getline(file, line)) {
        if (!line.empty() && line != "\r") add(instance, column, split(line));
    }
    return instance;
}

// Looks at every pair, knowing nothing of the planner.
void check(const OffsetProblem& problem, const Offsets& plan) {
    const std::vector<Buffer>& buffers = problem.buffers;
    for (std::size_t a = 0; a < buffers.size(); ++a) {
        const std::size_t end = plan.offsets[a] + buffers[a].size;
        bool wrong = end > plan.height;
        for (std::size_t b = 0; b < a; ++b) {
            wrong |= buffers[a].lifetime.overlaps(buffers[b].lifetime) &&
                     plan.offsets[a] < plan.offsets[b] + buffers[b].size && plan.offsets[b] < end;
        }
        if (wrong) throw std::logic_error("the packing is wrong");
    }
}

void run(const std::string& file, std::uint64_t effort_open, bool offsets) {
    const std::filesystem::path path = file;
    const Instance instance = read(path);
    ingot::memory::Effort effort = ingot::memory::kThorough;
    effort.open = effort_open;
    const auto begin = std::chrono::steady_clock::now();
    const Offsets plan = ingot::memory::plan_best(instance.problem, effort);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    check(instance.problem, plan);
    fmt::print("{} {} {} {} {} {:.2f}\n", path.stem().string(), plan.height, plan.lower_bound,
               plan.optimal() ? "proven" : "open", plan.nodes, time.count());
    for (std::size_t b = 0; offsets && b < plan.offsets.size(); ++b) {
        fmt::print("{},{}\n", instance.ids[b], plan.offsets[b]);
    }
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Packs benchmark instances and prints what came out, a line for each file.");
    std::vector<std::string> files;
    std::uint64_t effort = ingot::memory::kThorough.open;
    bool offsets = false;
    app.add_option("FILE", files, "instances: CSV with columns id, lower, upper, size")->required();
    app.add_option("--effort", effort,
                   "most unplaced buffers, over all nodes of the exact search of a file");
    app.add_flag("--offsets", offsets, "print the packing too, as lines id,offset");
    CLI11_PARSE(app, argc, argv);
    for (const std::string& file : files) {
        try {
            run(file, effort, offsets);
        } catch (const std::runtime_error& error) {
            fmt::print(stderr, "{}: {}\n", file, error.what());
            return 2;
        }
    }
    return 0;
}
