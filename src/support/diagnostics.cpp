#include "support/diagnostics.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ingot::support {

std::string_view name(Severity severity) {
    switch (severity) {
        case Severity::note:
            return "note";
        case Severity::warning:
            return "warning";
        case Severity::error:
            return "error";
    }
    return "error";
}

std::string to_text(const Diagnostic& diagnostic) {
    std::string text(name(diagnostic.severity));
    text += ": ";
    if (!diagnostic.where.empty()) text += diagnostic.where + ": ";
    text += diagnostic.message;
    if (!diagnostic.hint.empty()) text += "\nhint: " + diagnostic.hint;
    return text;
}

namespace {

std::string summary(const std::vector<Diagnostic>& diagnostics) {
    return diagnostics.empty() ? "failed" : to_text(diagnostics.front());
}

}  // namespace

Failure::Failure(ExitStatus status, std::vector<Diagnostic> diagnostics)
    : std::runtime_error(summary(diagnostics)),
      status_(status),
      diagnostics_(std::move(diagnostics)) {}

Failure::Failure(ExitStatus status, std::string where, std::string message, std::string hint)
    : Failure(status, {Diagnostic{Severity::error, std::move(where), std::move(message),
                                  std::move(hint)}}) {}

void Diagnostics::note(std::string where, std::string message, std::string hint) {
    add({Severity::note, std::move(where), std::move(message), std::move(hint)});
}

void Diagnostics::warning(std::string where, std::string message, std::string hint) {
    add({Severity::warning, std::move(where), std::move(message), std::move(hint)});
}

void Diagnostics::error(std::string where, std::string message, std::string hint) {
    add({Severity::error, std::move(where), std::move(message), std::move(hint)});
}

bool Diagnostics::has_errors() const {
    return std::any_of(list_.begin(), list_.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::error; });
}

void Diagnostics::throw_if_errors(ExitStatus status) const {
    std::vector<Diagnostic> errors;
    std::copy_if(list_.begin(), list_.end(), std::back_inserter(errors),
                 [](const Diagnostic& d) { return d.severity == Severity::error; });
    if (!errors.empty()) throw Failure(status, std::move(errors));
}

}  // namespace ingot::support
