#include "report/diff.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "support/diagnostics.h"

namespace ingot::report {
namespace {

using nlohmann::json;

constexpr int kDeepest = 32;  // a report has six levels
const std::vector<std::string> kRoles = {"scratch", "persistent", "constant"};

class Checker {
  public:
    explicit Checker(std::string file) : file_(std::move(file)) {}

    void check(const json& report) const {
        if (!report.is_object()) fail("it isn't an object");
        if (!has(report, "plan_hash", &json::is_string)) fail("it has no plan_hash");
        if (!has(report, "arenas", &json::is_object)) fail("it has no arenas");
        if (!has(report, "tensors", &json::is_array)) fail("it has no tensors");
        for (const auto& [role, arenas] : report["arenas"].items()) {
            if (std::find(kRoles.begin(), kRoles.end(), role) == kRoles.end()) {
                fail("'" + role + "' is no role");
            }
            check_arenas(role, arenas);
        }
        std::set<std::string> ids;
        for (const json& tensor : report["tensors"]) check_tensor(tensor, ids);
    }

    [[noreturn]] void fail(const std::string& why) const {
        throw support::Failure(support::ExitStatus::io, file_,
                               "this is no residency report: " + why,
                               "give a '<prefix>_residency.json' or a module's folder");
    }

  private:
    using Is = bool (json::*)() const noexcept;

    static bool has(const json& object, const char* key, Is is) {
        const auto found = object.find(key);
        return found != object.end() && ((*found).*is)();
    }

    void require(bool condition, const std::string& why) const {
        if (!condition) fail(why);
    }

    void check_arenas(const std::string& role, const json& arenas) const {
        require(arenas.is_array(), "arenas." + role + " is no list");
        std::set<std::pair<std::string, std::string>> seen;
        for (const json& arena : arenas) {
            require(arena.is_object() && has(arena, "memory", &json::is_string) &&
                        has(arena, "used", &json::is_number_unsigned),
                    "an arena has no memory or size");
            require(arena.find("source_memory") == arena.end() ||
                        has(arena, "source_memory", &json::is_string),
                    "an arena's source_memory is no text");
            const auto memory = arena["memory"].get<std::string>();
            require(seen.emplace(memory, arena.value("source_memory", memory)).second,
                    "an arena is there twice");
        }
    }

    void check_tensor(const json& tensor, std::set<std::string>& ids) const {
        require(tensor.is_object() && has(tensor, "id", &json::is_string), "a tensor has no id");
        const auto id = tensor["id"].get<std::string>();
        require(ids.insert(id).second, "tensor '" + id + "' is there twice");
        for (const char* key : {"memory", "role", "source_memory"}) {
            require(has(tensor, key, &json::is_string), "tensor '" + id + "' has no " + key);
        }
        for (const char* key : {"offset", "size"}) {
            require(has(tensor, key, &json::is_number_unsigned),
                    "tensor '" + id + "' has no " + key);
        }
    }

    std::string file_;
};

// Ids in the report's order: numbers by value, then names.
struct ByReportOrder {
    static bool number(const std::string& id) {
        return !id.empty() && id.find_first_not_of("0123456789") == std::string::npos;
    }
    bool operator()(const std::string& a, const std::string& b) const {
        if (number(a) != number(b)) return number(a);
        if (number(a) && a.size() != b.size()) return a.size() < b.size();
        return a < b;
    }
};

// The values of the fields that aren't compared as tensors or totals, as JSON text by path.
using Fields = std::map<std::string, std::string>;

void flatten(const json& value, const std::string& path, Fields& fields) {
    if (!value.is_object()) {
        fields[path] = value.dump(-1, ' ', false, json::error_handler_t::replace);
        return;
    }
    for (const auto& [key, member] : value.items()) flatten(member, path + "." + key, fields);
}

using ArenaKey = std::tuple<std::size_t, std::string, std::string>;  // role, memory, source

struct Report {
    std::map<std::string, TensorPlace, ByReportOrder> tensors;
    std::map<ArenaKey, std::uint64_t> arenas;
    Fields fields;
};

void read_tensor(const json& tensor, Report& report) {
    const auto id = tensor["id"].get<std::string>();
    report.tensors[id] = {tensor["role"], tensor["memory"], tensor["source_memory"],
                          tensor["offset"], tensor["size"]};
    for (const auto& [key, value] : tensor.items()) {
        static const std::set<std::string> kCompared = {"id",     "role",          "memory",
                                                        "offset", "source_memory", "size"};
        if (kCompared.count(key) == 0) flatten(value, "tensors[" + id + "]." + key, report.fields);
    }
}

void read_arena(std::size_t role, const json& arena, Report& report) {
    const auto memory = arena["memory"].get<std::string>();
    const auto source = arena.value("source_memory", memory);
    report.arenas[{role, memory, source}] = arena["used"].get<std::uint64_t>();
    std::string path = "arenas." + kRoles[role] + "[" + memory;
    if (source != memory) path += " from " + source;
    for (const auto& [key, value] : arena.items()) {
        if (key == "memory" || key == "source_memory" || key == "used") continue;
        flatten(value, path + "]." + key, report.fields);
    }
}

Report read(const json& json_report) {
    Report report;
    for (const auto& [key, value] : json_report.items()) {
        if (key == "compiler_version" || key == "tensors" || key == "arenas") continue;
        flatten(value, key, report.fields);
    }
    for (const json& tensor : json_report["tensors"]) read_tensor(tensor, report);
    for (std::size_t role = 0; role < kRoles.size(); ++role) {
        const auto arenas = json_report["arenas"].find(kRoles[role]);
        if (arenas == json_report["arenas"].end()) continue;
        for (const json& arena : *arenas) read_arena(role, arena, report);
    }
    return report;
}

template <typename Map>
std::optional<typename Map::mapped_type> get(const Map& map, const typename Map::key_type& key) {
    const auto found = map.find(key);
    return found == map.end() ? std::nullopt : std::optional(found->second);
}

// Calls `use(key, before, after)` for every key of either map, in their order.
template <typename Map, typename Use>
void for_each_pair(const Map& before, const Map& after, const Use& use) {
    Map keys = before;
    keys.insert(after.begin(), after.end());
    for (const auto& entry : keys) {
        use(entry.first, get(before, entry.first), get(after, entry.first));
    }
}

}  // namespace

std::vector<std::string> TensorChange::kinds() const {
    if (!before) return {"appeared"};
    if (!after) return {"disappeared"};
    std::vector<std::string> result;
    if (before->role != after->role) result.emplace_back("role");
    if (before->memory != after->memory) result.emplace_back("memory");
    if (before->source_memory != after->source_memory) result.emplace_back("source");
    if (before->offset != after->offset) result.emplace_back("moved");
    if (before->size < after->size) result.emplace_back("grew");
    if (before->size > after->size) result.emplace_back("shrank");
    return result;
}

bool ResidencyDiff::equal() const {
    return tensors.empty() && fields.empty() &&
           std::none_of(arenas.begin(), arenas.end(),
                        [](const ArenaTotal& arena) { return arena.changed(); });
}

json parse_residency(std::string_view text, const std::string& file) {
    const Checker checker(file);
    const auto limit_depth = [&](int depth, json::parse_event_t, json&) {
        if (depth > kDeepest) checker.fail("it is nested too deeply");
        return true;
    };
    try {
        json report = json::parse(text, limit_depth);
        checker.check(report);
        return report;
    } catch (const json::exception&) {
        checker.fail("it is no JSON");
    }
}

ResidencyDiff diff(const json& before, const json& after) {
    const Report a = read(before);
    const Report b = read(after);
    ResidencyDiff result;
    for_each_pair(a.tensors, b.tensors, [&](const auto& id, const auto& x, const auto& y) {
        if (x != y) result.tensors.push_back({id, x, y});
    });
    for_each_pair(a.arenas, b.arenas, [&](const auto& key, const auto& x, const auto& y) {
        const auto& [role, memory, source] = key;
        result.arenas.push_back({kRoles[role], memory, source, x, y});
    });
    for_each_pair(a.fields, b.fields, [&](const auto& path, const auto& x, const auto& y) {
        if (x != y) result.fields.push_back({path, x.value_or(""), y.value_or("")});
    });
    return result;
}

}  // namespace ingot::report
