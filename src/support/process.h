// Other programs: run one to its end and keep what it says.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ingot::support {

/// A program with its arguments, as the system takes them: no shell reads them.
struct Process {
    std::vector<std::string> words;  ///< the program's name or path, then its arguments
    std::filesystem::path folder;    ///< where it runs; empty: where we are
    std::map<std::string, std::string>
        environment;  ///< variables beside our own, or in their place
    std::chrono::milliseconds timeout{600000};
    /// Asked every now and then; true ends the program. May be empty.
    std::function<bool()> interrupted;
};

/// How a program ended.
enum class ProcessEnd {
    exited,     ///< with `status`
    signalled,  ///< by the signal `status`
    timed_out,  ///< we ended it
    interrupted,
    not_found,   ///< there is no such program
    not_started  ///< it could not be run; `status` is the errno
};

struct ProcessResult {
    ProcessEnd end = ProcessEnd::not_found;
    int status = 0;
    std::string output;  ///< stdout, at most the first MiB
    std::string errors;  ///< stderr, at most the first MiB

    bool ok() const { return end == ProcessEnd::exited && status == 0; }
};

/// Runs the program with an empty standard input. It and what it has started are ended with it
/// when it takes too long. Throws std::logic_error without words.
ProcessResult run_process(const Process& process);

/// A folder of its own among the temporary files, removed with its contents at the end.
class TemporaryFolder {
  public:
    /// `<temporary files>/<name>-XXXXXX`. Throws Failure(io).
    explicit TemporaryFolder(const std::string& name);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace ingot::support
