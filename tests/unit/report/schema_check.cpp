#include "unit/report/schema_check.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <stdexcept>

namespace ingot::testing {
namespace {

using nlohmann::json;

class Validator {
  public:
    explicit Validator(json root) : root_(std::move(root)) {}

    std::vector<std::string> run(const json& value) {
        check(root_, value, "");
        return errors_;
    }

  private:
    void require(bool condition, const std::string& path, const std::string& what) {
        if (!condition) errors_.push_back((path.empty() ? "top" : path) + ": " + what);
    }

    static bool is(const json& value, const std::string& type) {
        if (type == "object") return value.is_object();
        if (type == "array") return value.is_array();
        if (type == "string") return value.is_string();
        if (type == "boolean") return value.is_boolean();
        if (type == "null") return value.is_null();
        if (type == "integer") return value.is_number_integer();
        if (type == "number") return value.is_number();
        throw std::runtime_error("unknown type " + type);
    }

    static bool is_any(const json& value, const json& types) {
        if (types.is_string()) return is(value, types);
        return std::any_of(types.begin(), types.end(),
                           [&](const json& type) { return is(value, type); });
    }

    void check(const json& schema, const json& value, const std::string& path) {
        for (const auto& [keyword, operand] : schema.items()) {
            apply(schema, keyword, operand, value, path);
        }
    }

    void apply(const json& schema, const std::string& keyword, const json& operand,
               const json& value, const std::string& path) {
        static const std::set<std::string> kSilent = {"$schema", "$defs", "title", "description",
                                                      "properties"};
        if (kSilent.count(keyword) != 0) return;
        if (keyword == "$ref") {
            check(root_.at(json::json_pointer(operand.get<std::string>().substr(1))), value, path);
        } else if (keyword == "type") {
            require(is_any(value, operand), path, "is no " + operand.dump());
        } else if (keyword == "const") {
            require(value == operand, path, "isn't " + operand.dump());
        } else if (keyword == "enum") {
            require(std::find(operand.begin(), operand.end(), value) != operand.end(), path,
                    "is none of " + operand.dump());
        } else if (keyword == "minimum") {
            require(!value.is_number() || value >= operand, path, "is too small");
        } else if (keyword == "maximum") {
            require(!value.is_number() || value <= operand, path, "is too large");
        } else if (keyword == "pattern") {
            require(!value.is_string() || std::regex_search(value.get<std::string>(),
                                                            std::regex(operand.get<std::string>())),
                    path, "isn't like " + operand.dump());
        } else if (keyword == "anyOf") {
            require(std::any_of(operand.begin(), operand.end(),
                                [&](const json& s) { return valid(s, value); }),
                    path, "fits no alternative");
        } else {
            structure(schema, keyword, operand, value, path);
        }
    }

    void structure(const json& schema, const std::string& keyword, const json& operand,
                   const json& value, const std::string& path) {
        if (keyword == "items") {
            if (!value.is_array()) return;
            for (std::size_t i = 0; i < value.size(); ++i) {
                check(operand, value[i], path + "[" + std::to_string(i) + "]");
            }
        } else if (keyword == "required") {
            for (const json& key : operand) {
                require(!value.is_object() || value.contains(key), path,
                        "has no " + key.get<std::string>());
            }
        } else if (keyword == "additionalProperties") {
            if (value.is_object()) members(schema, operand, value, path);
        } else {
            throw std::runtime_error("unknown keyword " + keyword);
        }
    }

    void members(const json& schema, const json& additional, const json& value,
                 const std::string& path) {
        const json known = schema.value("properties", json::object());
        for (const auto& [key, member] : value.items()) {
            const std::string where = path + "." + key;
            if (known.contains(key)) {
                check(known[key], member, where);
            } else if (additional.is_object()) {
                check(additional, member, where);
            } else {
                require(additional.get<bool>(), where, "isn't expected");
            }
        }
    }

    bool valid(const json& schema, const json& value) {
        Validator inner(root_);
        inner.check(schema, value, "");
        return inner.errors_.empty();
    }

    json root_;
    std::vector<std::string> errors_;
};

// Published schemas let keys pass that they don't know, so that readers bear new ones; what Ingot
// writes must be declared.
void close(json& schema) {
    if (schema.is_object() && schema.contains("properties") &&
        !schema.contains("additionalProperties")) {
        schema["additionalProperties"] = false;
    }
    if (!schema.is_structured()) return;
    for (json& part : schema) close(part);
}

}  // namespace

std::vector<std::string> schema_errors(const std::string& name, const json& value) {
    const std::string path = std::string(INGOT_PROJECT_DIR) + "/schemas/" + name + ".schema.json";
    std::ifstream file(path);
    if (!file) throw std::runtime_error("no " + path);
    json schema = json::parse(file);
    close(schema);
    return Validator(std::move(schema)).run(value);
}

}  // namespace ingot::testing
