// What every command has: the common flags, where messages go, and the JSON result.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/diagnostics.h"

namespace ingot::cli {

/// Flags that every command takes.
struct CommonFlags {
    bool quiet = false;
    int verbosity = 0;
    std::string log_file;
    std::string color = "auto";  ///< auto, always or never
    bool json = false;
};

/// One run of the program. Messages go to stderr and the log file, results to stdout.
class Session {
  public:
    CommonFlags flags;

    /// Notes and warnings found on the way; printed by finish.
    support::Diagnostics diagnostics;

    /// The command's own fields of the JSON result.
    nlohmann::json result = nlohmann::json::object();

    /// The words of the command line; a log file never overwrites a file that they name.
    std::vector<std::string> words;

    /// Opens the log file. Throws Failure(io), and Failure(usage) when `path` is a file that the
    /// command line or `also` names for something else.
    void open_log(const std::string& path, const std::vector<std::string>& also = {});

    /// A line for the user at verbosity `level` and above; in the log file at any.
    void tell(int level, const std::string& line);

    /// Text for stdout; nothing with --json.
    void print(const std::string& text);

    /// Text for stdout that a reader may do without; nothing with --json or -q.
    void print_summary(const std::string& text);

    /// Prints the messages, and with --json the result; gives the exit status. A failed write
    /// to stdout makes it `io`.
    int finish(support::ExitStatus status);

    /// Whether stdout, or stderr, shows colours.
    bool colours_on_stdout() const;
    bool colours_on_stderr() const;

  private:
    void show(const support::Diagnostic& diagnostic);
    void write_log(const std::string& text);
    void print_result(support::ExitStatus status);

    std::ofstream log_;
    std::string early_log_;  // said before the log file was known
};

/// JSON as text, two-space indent; malformed UTF-8 is replaced.
std::string to_text(const nlohmann::json& json);

}  // namespace ingot::cli
