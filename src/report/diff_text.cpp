// How a difference is printed, as text and as JSON.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/diff.h"

namespace ingot::report {
namespace {

using nlohmann::json;

std::string memory_text(const std::string& memory, const std::string& source) {
    return source == memory ? memory : memory + " from " + source;
}

std::string place_text(const TensorPlace& place) {
    return fmt::format("{} {} at {}, {} bytes", place.role,
                       memory_text(place.memory, place.source_memory), place.offset, place.size);
}

std::string kind_text(const std::string& kind, const TensorPlace& a, const TensorPlace& b) {
    if (kind == "role") return fmt::format("role {} -> {}", a.role, b.role);
    if (kind == "memory") return fmt::format("memory {} -> {}", a.memory, b.memory);
    if (kind == "source") return fmt::format("source {} -> {}", a.source_memory, b.source_memory);
    if (kind == "moved") return fmt::format("moved {} -> {}", a.offset, b.offset);
    return fmt::format("{} {} -> {} bytes", kind, a.size, b.size);
}

std::string tensor_text(const TensorChange& change) {
    std::string text = "tensor " + change.id + ": ";
    if (!change.before) return text + "appeared, " + place_text(*change.after);
    if (!change.after) return text + "disappeared, " + place_text(*change.before);
    std::vector<std::string> parts;
    for (const std::string& kind : change.kinds()) {
        parts.push_back(kind_text(kind, *change.before, *change.after));
    }
    return text + fmt::format("{}", fmt::join(parts, ", "));
}

std::string arena_text(const ArenaTotal& arena) {
    std::string text =
        fmt::format("arena {} {}: ", arena.role, memory_text(arena.memory, arena.source_memory));
    if (!arena.before) return text + fmt::format("appeared, {} bytes", *arena.after);
    if (!arena.after) return text + fmt::format("disappeared, {} bytes", *arena.before);
    if (!arena.changed()) return text + fmt::format("{} bytes", *arena.before);
    return text + fmt::format("{} -> {} bytes ({:+})", *arena.before, *arena.after,
                              static_cast<std::int64_t>(*arena.after - *arena.before));
}

std::string field_text(const FieldChange& field) {
    return fmt::format("{}: {} -> {}", field.path, field.before.empty() ? "none" : field.before,
                       field.after.empty() ? "none" : field.after);
}

json place_json(const std::optional<TensorPlace>& place) {
    if (!place) return nullptr;
    return {{"memory", place->memory},
            {"offset", place->offset},
            {"role", place->role},
            {"size", place->size},
            {"source_memory", place->source_memory}};
}

json field_json(const std::string& text) {
    return text.empty() ? json(nullptr) : json::parse(text);
}

}  // namespace

std::string to_text(const ResidencyDiff& diff) {
    if (diff.equal()) return "no differences\n";
    std::string text;
    for (const TensorChange& change : diff.tensors) text += tensor_text(change) + "\n";
    for (const FieldChange& field : diff.fields) text += field_text(field) + "\n";
    for (const ArenaTotal& arena : diff.arenas) text += arena_text(arena) + "\n";
    return text;
}

json to_json(const ResidencyDiff& diff) {
    json tensors = json::array();
    for (const TensorChange& change : diff.tensors) {
        tensors.push_back({{"after", place_json(change.after)},
                           {"before", place_json(change.before)},
                           {"changes", change.kinds()},
                           {"id", change.id}});
    }
    json arenas = json::array();
    for (const ArenaTotal& arena : diff.arenas) {
        arenas.push_back({{"after", arena.after ? json(*arena.after) : json(nullptr)},
                          {"before", arena.before ? json(*arena.before) : json(nullptr)},
                          {"memory", arena.memory},
                          {"role", arena.role},
                          {"source_memory", arena.source_memory}});
    }
    json fields = json::array();
    for (const FieldChange& field : diff.fields) {
        fields.push_back({{"after", field_json(field.after)},
                          {"before", field_json(field.before)},
                          {"path", field.path}});
    }
    return {{"arenas", std::move(arenas)},
            {"equal", diff.equal()},
            {"fields", std::move(fields)},
            {"schema_version", kDiffSchema},
            {"tensors", std::move(tensors)}};
}

}  // namespace ingot::report
