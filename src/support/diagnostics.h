// Diagnostics: what Ingot tells its user, and the exit status that goes with it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::support {

/// Exit statuses of the program, the same for every command (docs/cli.md).
enum class ExitStatus : int {
    ok = 0,           ///< done
    differences = 1,  ///< `diff` found differences, or `verify` wrong results
    usage = 2,        ///< the command line or the configuration is wrong
    model = 3,        ///< the model is malformed or uses something unsupported
    memory = 4,       ///< it does not fit the memories
    io = 5,           ///< a file cannot be read or written, or exists already
    tool = 6,         ///< a tool that `verify` needs is missing or failed
    internal = 70,    ///< a fault in Ingot itself
};

enum class Severity { note, warning, error };

/// One message. Printed as `severity: where: message`, then `hint: …` when there is one.
struct Diagnostic {
    Severity severity = Severity::error;
    std::string where;    ///< `config.yaml:7:13`, `operator 12 (CONV_2D "name")`; may be empty
    std::string message;  ///< one sentence, no full stop
    std::string hint;     ///< what to do about it; may be empty

    bool operator==(const Diagnostic&) const = default;
};

/// The name of a severity as it is printed: `note`, `warning`, `error`.
std::string_view name(Severity severity);

/// The diagnostic as printed text, without a final newline.
std::string to_text(const Diagnostic& diagnostic);

/// Ends the work at hand: carries at least one error and the exit status. Caught at the
/// library's boundary (driver) and nowhere else, except to add what an outer place knows.
class Failure : public std::runtime_error {
  public:
    Failure(ExitStatus status, std::vector<Diagnostic> diagnostics);
    Failure(ExitStatus status, std::string where, std::string message, std::string hint = {});

    ExitStatus status() const { return status_; }
    const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

  private:
    ExitStatus status_;
    std::vector<Diagnostic> diagnostics_;
};

/// Collects messages in order; errors are collected too so that several are shown at once.
class Diagnostics {
  public:
    void note(std::string where, std::string message, std::string hint = {});
    void warning(std::string where, std::string message, std::string hint = {});
    void error(std::string where, std::string message, std::string hint = {});
    void add(Diagnostic diagnostic) { list_.push_back(std::move(diagnostic)); }

    bool has_errors() const;
    const std::vector<Diagnostic>& list() const { return list_; }

    /// Throws Failure with all the errors collected so far when there is at least one.
    void throw_if_errors(ExitStatus status) const;

  private:
    std::vector<Diagnostic> list_;
};

}  // namespace ingot::support
