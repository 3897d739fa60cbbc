#include "support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

#include "support/diagnostics.h"

extern char** environ;

namespace ingot::support {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostOutput = std::size_t{1} << 20;
constexpr std::chrono::milliseconds kPoll{50};
constexpr std::chrono::milliseconds kEnding{1};  // its pipes are closed, it is about to end

class Pipe {
  public:
    Pipe() {
        if (::pipe2(ends_.data(), O_CLOEXEC) != 0) {
            throw std::system_error(errno, std::generic_category(), "pipe");
        }
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        close_read();
        close_write();
    }
    int read_end() const { return ends_[0]; }
    int write_end() const { return ends_[1]; }
    void close_read() { close(ends_[0]); }
    void close_write() { close(ends_[1]); }

  private:
    static void close(int& end) {
        if (end >= 0) ::close(end);
        end = -1;
    }
    std::array<int, 2> ends_{-1, -1};
};

class FileActions {
  public:
    FileActions() { posix_spawn_file_actions_init(&actions_); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;
    ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
    posix_spawn_file_actions_t* get() { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

class Attributes {
  public:
    // A process group of its own, so that all it starts can be ended together; signals that we
    // ignore or block are as usual for it.
    Attributes() {
        posix_spawnattr_init(&attributes_);
        sigset_t usual;
        sigemptyset(&usual);
        posix_spawnattr_setsigmask(&attributes_, &usual);
        sigaddset(&usual, SIGPIPE);
        sigaddset(&usual, SIGXFSZ);
        posix_spawnattr_setsigdefault(&attributes_, &usual);
        posix_spawnattr_setflags(
            &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    ~Attributes() { posix_spawnattr_destroy(&attributes_); }
    posix_spawnattr_t* get() { return &attributes_; }

  private:
    posix_spawnattr_t attributes_{};
};

// Our environment with the process's own variables, `NAME=VALUE`.
std::vector<std::string> environment(const Process& process) {
    std::vector<std::string> result;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        if (process.environment.count(text.substr(0, text.find('='))) == 0) result.push_back(text);
    }
    for (const auto& [name, value] : process.environment) result.push_back(name + "=" + value);
    return result;
}

// The texts as the system takes them; they must outlive the result.
std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

// Starts the program; gives an errno.
int spawn(const Process& process, Pipe& out, Pipe& err, pid_t& pid) {
    FileActions actions;
    Attributes attributes;
    posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(actions.get(), out.write_end(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(actions.get(), err.write_end(), STDERR_FILENO);
    if (!process.folder.empty()) {
        posix_spawn_file_actions_addchdir_np(actions.get(), process.folder.c_str());
    }
    std::vector<std::string> words = process.words;
    std::vector<std::string> variables = environment(process);
    const std::vector<char*> arguments = pointers(words);
    return posix_spawnp(&pid, arguments[0], actions.get(), attributes.get(), arguments.data(),
                        pointers(variables).data());
}

// Takes what a pipe holds; closes it at its end.
void drain(Pipe& pipe, std::string& text) {
    std::array<char, 65536> buffer{};
    const ssize_t count = ::read(pipe.read_end(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) {
        pipe.close_read();
        return;
    }
    const std::size_t room = kMostOutput - std::min(kMostOutput, text.size());
    text.append(buffer.data(), std::min(room, static_cast<std::size_t>(count)));
}

// Waits for something to read, a moment at most, and takes it.
void read_some(Pipe& out, Pipe& err, ProcessResult& result) {
    // A negative descriptor is passed over.
    std::array<pollfd, 2> waits{{{out.read_end(), POLLIN, 0}, {err.read_end(), POLLIN, 0}}};
    const bool open = out.read_end() >= 0 || err.read_end() >= 0;
    const auto wait = open ? kPoll : kEnding;
    if (::poll(waits.data(), waits.size(), static_cast<int>(wait.count())) <= 0) return;
    if (waits[0].revents != 0) drain(out, result.output);
    if (waits[1].revents != 0) drain(err, result.errors);
}

void set_end(ProcessResult& result, int status) {
    result.end = WIFSIGNALED(status) ? ProcessEnd::signalled : ProcessEnd::exited;
    result.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

// Ends the program and all in its group.
void kill_group(pid_t pid) {
    ::kill(-pid, SIGKILL);
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

}  // namespace

ProcessResult run_process(const Process& process) {
    if (process.words.empty()) throw std::logic_error("a process without a program");
    ProcessResult result;
    Pipe out;
    Pipe err;
    pid_t pid = -1;
    const int error = spawn(process, out, err, pid);
    if (error != 0) {
        result.end = error == ENOENT ? ProcessEnd::not_found : ProcessEnd::not_started;
        result.status = error;
        return result;
    }
    out.close_write();
    err.close_write();
    const auto deadline = Clock::now() + process.timeout;
    for (;;) {
        read_some(out, err, result);
        int status = 0;
        // The pipes may stay open in what the program has started; it itself has the say.
        if (::waitpid(pid, &status, WNOHANG) == pid) {
            while (out.read_end() >= 0 || err.read_end() >= 0) {
                const std::size_t before = result.output.size() + result.errors.size();
                read_some(out, err, result);
                if (before == result.output.size() + result.errors.size()) break;
            }
            set_end(result, status);
            return result;
        }
        const bool stop = process.interrupted && process.interrupted();
        if (!stop && Clock::now() < deadline) continue;
        result.end = stop ? ProcessEnd::interrupted : ProcessEnd::timed_out;
        kill_group(pid);
        return result;
    }
}

TemporaryFolder::TemporaryFolder(const std::string& name) {
    std::error_code error;
    const fs::path base = fs::temp_directory_path(error);
    std::string pattern = (error ? fs::path("/tmp") : base) / (name + "-XXXXXX");
    if (::mkdtemp(pattern.data()) == nullptr) {
        throw Failure(ExitStatus::io, pattern,
                      "cannot create folder: " + std::generic_category().message(errno));
    }
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace ingot::support
