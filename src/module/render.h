// Templates: the fixed text of generated files, from templates/ of the project.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ingot::module {

/// The embedded template `path` (`templates/c/model.c.mustache`), a Mustache template with the
/// delimiters `<%` and `%>`, filled with the values of a JSON object: strings and numbers for
/// variables, booleans, lists and objects for sections. Values are inserted as they are.
/// A line that holds section tags only leaves no line behind.
/// Throws std::logic_error when the template is malformed or names a value that is not there.
std::string render(std::string_view path, const nlohmann::json& data);

/// The same for a template that is given as text; `name` stands in messages.
std::string render_text(std::string_view name, const std::string& text, const nlohmann::json& data);

}  // namespace ingot::module
