#include "report/memory_map.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "report/reports.h"
#include "support/arithmetic.h"
#include "support/diagnostics.h"

namespace ingot::report {
namespace {

using nlohmann::json;
using support::ExitStatus;
using support::Failure;

constexpr std::uint64_t kUnit = 16;  // bytes: every offset is a multiple of it
// No address is larger; sums of a few of them don't overflow.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 48;

[[noreturn]] void refuse(const std::string& what) {
    throw std::invalid_argument(what);
}

std::uint64_t bytes(const json& object, const char* key) {
    const auto value = object.at(key).get<std::int64_t>();
    if (value < 0 || static_cast<std::uint64_t>(value) > kMostBytes) {
        refuse(std::string(key) + " is out of range");
    }
    return static_cast<std::uint64_t>(value);
}

std::string text(const json& object, const char* key) {
    return object.at(key).get<std::string>();
}

struct Box {  // a tensor with a place, as the overlaps need it
    std::size_t root = 0;
    std::size_t arena = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;  // rounded up to kUnit
    std::size_t first = 0;  // slots
    std::size_t last = 0;
};

class MapBuilder {
  public:
    MapBuilder(const json& plan, const json& report) : plan_(plan), report_(report) {}

    json build() {
        if (plan_.at("schema_version") != kPlanSchema ||
            report_.at("schema_version") != kReportSchema) {
            refuse("another version's");
        }
        slots_ = plan_.at("operators").size() + 2;
        add_arenas();
        add_tensors();
        add_steps();
        add_profiles();
        json map = {{"schema_version", kMapSchema},   {"prefix", text(plan_, "module_prefix")},
                    {"steps", std::move(steps_)},     {"arenas", std::move(arenas_)},
                    {"tensors", std::move(tensors_)}, {"overlaps", std::move(overlaps_)}};
        for (const char* key :
             {"model", "platform", "cpu", "planner", "compiler_version", "plan_hash"}) {
            map[key] = text(plan_, key);
        }
        for (const char* key : {"memories", "hints", "spilled", "transforms", "totals", "stack"}) {
            map[key] = report_.at(key);
        }
        return map;
    }

  private:
    // What the memory's budget leaves for an arena beside the others in that memory.
    json limit(const json& arena) const {
        for (const json& memory : report_.at("memories")) {
            if (memory.at("name") != arena.at("memory") || memory.at("budget").is_null()) continue;
            const std::uint64_t others = bytes(memory, "used") - bytes(arena, "used");
            const std::uint64_t budget = bytes(memory, "budget");
            return budget - std::min(budget, others);
        }
        return nullptr;
    }

    void add_arenas() {
        if (plan_.at("arenas").size() != report_.at("arenas").size()) {
            refuse("the two reports differ in their arenas");
        }
        for (std::size_t i = 0; i < plan_.at("arenas").size(); ++i) {
            const json& arena = plan_.at("arenas").at(i);
            const json& why = report_.at("arenas").at(i);
            json entry = {{"name", text(arena, "enum_name")},
                          {"role", text(arena, "role")},
                          {"memory", text(arena, "memory")},
                          {"source_memory", text(arena, "source_memory")},
                          {"alignment", bytes(arena, "alignment")},
                          {"used", bytes(arena, "used")},
                          {"limit", limit(arena)}};
            if (entry["role"] == "scratch") {
                entry["lower_bound"] = bytes(why, "lower_bound");
                entry["overlap_lower_bound"] = bytes(why, "overlap_lower_bound");
                entry["optimal"] = why.at("optimal").get<bool>();
                entry["greedy"] = nullptr;
                for (const json& other : why.at("alternatives")) {
                    if (other.at("planner") == "greedy") entry["greedy"] = bytes(other, "used");
                }
            }
            if (!arena_index_.emplace(entry["name"], i).second) refuse("two arenas have one name");
            arenas_.push_back(std::move(entry));
        }
    }

    std::size_t slot(const json& step) const {
        const auto value = step.get<std::int64_t>() + 1;
        if (value < 0 || static_cast<std::uint64_t>(value) >= slots_) {
            refuse("a lifetime is out of range");
        }
        return static_cast<std::size_t>(value);
    }

    void add_tensors() {
        const json& given = plan_.at("tensors");
        for (std::size_t i = 0; i < given.size(); ++i) {
            if (!index_.emplace(text(given.at(i), "id"), i).second) {
                refuse("two tensors have one id");
            }
        }
        for (const json& tensor : given) tensors_.push_back(one_tensor(tensor));
    }

    json one_tensor(const json& tensor) {
        const json& place = tensor.at("placement");
        const auto arena = arena_index_.find(text(place, "region"));
        if (arena == arena_index_.end()) refuse("a tensor is in no arena");
        const std::string role = text(tensor, "role");
        Box box;
        box.root =
            tensor.at("view_of").is_null() ? boxes_.size() : index_.at(text(tensor, "view_of"));
        box.arena = arena->second;
        box.begin = bytes(place, "offset");
        box.end = support::align_up(box.begin + bytes(tensor, "size"), kUnit);
        box.first = slot(tensor.at("lifetime").at("first"));
        box.last = slot(tensor.at("lifetime").at("last"));
        if (box.first > box.last) refuse("a lifetime ends before it begins");
        boxes_.push_back(box);
        return {{"id", text(tensor, "id")},
                {"name", text(tensor, "name")},
                {"role", role},
                // An activation that no operator turns out to write is an input.
                {"kind", role == "scratch"      ? "input"
                         : role == "persistent" ? "state"
                                                : role},
                {"type", text(tensor, "type")},
                {"shape", tensor.at("shape").get<std::vector<std::int64_t>>()},
                {"size", bytes(tensor, "size")},
                {"arena", arena->second},
                {"offset", box.begin},
                {"first", box.first},
                {"last", box.last},
                {"view_of", tensor.at("view_of").is_null() ? json(nullptr) : json(box.root)},
                {"producer", nullptr},
                {"why", text(tensor, "decided_by")},
                {"rules", tensor.at("matched_rules").get<std::vector<std::string>>()}};
    }

    void produced(std::size_t tensor, std::size_t step, bool work) {
        json& entry = tensors_[tensor];
        if (entry["role"] != "scratch" || !entry["producer"].is_null()) return;
        entry["producer"] = step;
        const bool output = boxes_[tensor].last + 1 == slots_;
        entry["kind"] = work ? "work" : output ? "output" : "activation";
    }

    void add_steps() {
        const json& operators = plan_.at("operators");
        if (operators.size() != report_.at("operators").size()) {
            refuse("the two reports differ in their operators");
        }
        for (std::size_t i = 0; i < operators.size(); ++i) {
            steps_.push_back(one_step(i, operators.at(i), report_.at("operators").at(i)));
        }
    }

    json one_step(std::size_t number, const json& step, const json& why) {
        if (step.at("id") != why.at("id")) refuse("the two reports differ in their operators");
        std::map<std::string, std::vector<std::size_t>> used = {
            {"read", {}}, {"write", {}}, {"scratch", {}}, {"constant", {}}};
        for (const json& tensor : step.at("tensors")) {
            const auto found = index_.find(text(tensor, "id"));
            if (found == index_.end()) continue;  // it has no place
            const std::string use = text(tensor, "use");
            used.at(use).push_back(found->second);
            if (use == "write" || use == "scratch") {
                produced(found->second, number, use == "scratch");
            }
        }
        std::vector<std::string> kernels;
        for (const json& kernel : step.at("kernels")) {
            kernels.push_back(text(kernel, "name") + " (" + text(kernel, "variant") + ")");
        }
        std::uint64_t touched = 0;
        for (const auto& [memory, moved] : why.at("touched_bytes").items()) {
            touched += moved.get<std::uint64_t>();
        }
        return {{"id", step.at("id").get<std::int64_t>()},
                {"name", text(step, "name")},
                {"type", text(step, "type")},
                {"label", text(step, "label")},
                {"macs", step.at("macs").get<std::uint64_t>()},
                {"kernels", std::move(kernels)},
                {"note", text(step, "note")},
                {"view", step.at("view").get<bool>()},
                {"scratch_bytes", bytes(step, "scratch_bytes")},
                {"constant_bytes", bytes(why, "constant_bytes")},
                {"touched_bytes", touched},
                {"overlap_bytes", add_overlaps(number + 1, used["read"], used["write"])},
                {"reads", used["read"]},
                {"writes", used["write"]},
                {"work", used["scratch"]},
                {"constants", used["constant"]}};
    }

    // Where the step's outputs lie over its inputs, which only a plan with overlap does. Gives the
    // bytes that do.
    std::uint64_t add_overlaps(std::size_t slot, const std::vector<std::size_t>& reads,
                               const std::vector<std::size_t>& writes) {
        std::uint64_t sum = 0;
        std::set<std::pair<std::size_t, std::size_t>> seen;
        for (const std::size_t read : reads) {
            for (const std::size_t write : writes) {
                const std::size_t input = boxes_.at(read).root;
                const std::size_t output = boxes_.at(write).root;
                if (input == output || !seen.emplace(input, output).second) continue;
                const Box& a = boxes_.at(input);
                const Box& b = boxes_.at(output);
                const std::uint64_t begin = std::max(a.begin, b.begin);
                const std::uint64_t end = std::min(a.end, b.end);
                if (a.arena != b.arena || begin >= end) continue;
                sum += end - begin;
                overlaps_.push_back({{"slot", slot},
                                     {"input", input},
                                     {"output", output},
                                     {"arena", a.arena},
                                     {"offset", begin},
                                     {"size", end - begin}});
            }
        }
        return sum;
    }

    // Bytes live and bytes occupied by slot, for every scratch arena.
    void add_profiles() {
        std::vector<std::vector<std::int64_t>> live(arenas_.size(),
                                                    std::vector<std::int64_t>(slots_ + 1, 0));
        for (std::size_t i = 0; i < boxes_.size(); ++i) {
            const Box& box = boxes_[i];
            if (box.root != i) continue;
            const auto size = static_cast<std::int64_t>(box.end - box.begin);
            live[box.arena][box.first] += size;
            live[box.arena][box.last + 1] -= size;
        }
        for (std::size_t a = 0; a < arenas_.size(); ++a) {
            if (arenas_[a]["role"] != "scratch") continue;
            std::partial_sum(live[a].begin(), live[a].end(), live[a].begin());
            live[a].pop_back();
            std::vector<std::int64_t> occupied = live[a];
            for (const json& overlap : overlaps_) {
                if (overlap["arena"] != a) continue;
                occupied[overlap["slot"].get<std::size_t>()] -= overlap["size"].get<std::int64_t>();
            }
            arenas_[a]["peak"] =
                std::max_element(occupied.begin(), occupied.end()) - occupied.begin();
            arenas_[a]["live"] = live[a];
            arenas_[a]["occupied"] = occupied;
        }
    }

    const json& plan_;
    const json& report_;
    std::size_t slots_ = 0;
    std::map<std::string, std::size_t> arena_index_;  // by name
    std::map<std::string, std::size_t> index_;        // of tensors by id
    std::vector<Box> boxes_;
    json arenas_ = json::array();
    json tensors_ = json::array();
    json steps_ = json::array();
    json overlaps_ = json::array();
};

}  // namespace

json memory_map(const json& plan, const json& report, const std::string& where) {
    std::string wrong;
    try {
        return MapBuilder(plan, report).build();
    } catch (const json::exception& error) {
        wrong = error.what();
    } catch (const std::logic_error& error) {  // out of range, and what is refused here
        wrong = error.what();
    }
    throw Failure(ExitStatus::io, where, "no reports of a module: " + wrong,
                  "convert the model again with this version of Ingot");
}

}  // namespace ingot::report
