#include "support/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "support/diagnostics.h"

namespace ingot::support {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(const fs::path& path, std::string_view doing, int error,
                       std::string hint = {}) {
    throw Failure(ExitStatus::io, path.string(),
                  fmt::format("{}: {}", doing, std::generic_category().message(error)),
                  std::move(hint));
}

// Closes the descriptor however the scope is left.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    int get() const { return fd_; }
    // Closing reports late write errors (a full disk behind a network file system).
    bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

  private:
    int fd_;
};

// A temporary path that is removed unless it was released.
class Temporary {
  public:
    explicit Temporary(fs::path path) : path_(std::move(path)) {}
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    const fs::path& path() const { return path_; }
    void release() { path_.clear(); }

  private:
    fs::path path_;
};

void write_all(int fd, std::string_view bytes, const fs::path& path) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(path, "cannot write", errno);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void write_new_file(const fs::path& path, std::string_view bytes) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.get() < 0) fail(path, "cannot create", errno);
    write_all(file.get(), bytes, path);
    if (!file.close()) fail(path, "cannot write", errno);
}

// A name beside `path`, so that a rename stays within one file system.
fs::path sibling(const fs::path& path, std::string_view kind) {
    return path.parent_path() /
           fmt::format(".{}.{}-{}", path.filename().string(), kind, ::getpid());
}

// Removes what killed runs left beside `path`; those of running ones stay.
void sweep_siblings(const fs::path& path, std::string_view kind) {
    const std::string stem = fmt::format(".{}.{}-", path.filename().string(), kind);
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(path.parent_path(), ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.compare(0, stem.size(), stem) != 0) continue;
        const long pid = std::strtol(name.c_str() + stem.size(), nullptr, 10);
        const bool gone = pid > 0 && ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
        if (gone) fs::remove_all(entry.path(), ignored);
    }
}

fs::path absolute_target(const fs::path& path) {
    fs::path result = fs::absolute(path).lexically_normal();
    return result.has_filename() ? result : result.parent_path();
}

void create_folders(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) fail(path, "cannot create folder", error.value());
}

// Puts the complete `temporary` in the place of `folder`. The swap is one system call where
// the file system has it; elsewhere the old folder is moved aside and back on failure.
void replace_folder(Temporary& temporary, const fs::path& folder) {
    if (!fs::exists(fs::symlink_status(folder))) {
        if (::rename(temporary.path().c_str(), folder.c_str()) != 0) {
            fail(folder, "cannot create", errno);
        }
        temporary.release();
        return;
    }
    if (::syscall(SYS_renameat2, AT_FDCWD, temporary.path().c_str(), AT_FDCWD, folder.c_str(),
                  RENAME_EXCHANGE) == 0) {
        return;  // `temporary` now holds the old module and is removed
    }
    Temporary old(sibling(folder, "old"));
    std::error_code ignored;
    fs::remove_all(old.path(), ignored);
    if (::rename(folder.c_str(), old.path().c_str()) != 0) fail(folder, "cannot replace", errno);
    if (::rename(temporary.path().c_str(), folder.c_str()) != 0) {
        const int error = errno;
        if (::rename(old.path().c_str(), folder.c_str()) == 0) old.release();
        fail(folder, "cannot replace", error);
    }
    temporary.release();
}

}  // namespace

std::vector<std::uint8_t> read_file(const fs::path& path, std::uint64_t limit) {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) fail(path, "cannot open", errno);
    struct stat info {};
    if (::fstat(file.get(), &info) != 0) fail(path, "cannot read", errno);
    if (S_ISDIR(info.st_mode)) fail(path, "cannot read", EISDIR);
    if (!S_ISREG(info.st_mode)) {
        throw Failure(ExitStatus::io, path.string(), "is not a regular file");
    }
    if (static_cast<std::uint64_t>(info.st_size) > limit) {
        throw Failure(ExitStatus::io, path.string(),
                      fmt::format("has {} bytes; the limit is {}", info.st_size, limit));
    }
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(info.st_size));
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::read(file.get(), bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(path, "cannot read", errno);
        if (count == 0) break;  // the file became shorter while we read
        done += static_cast<std::size_t>(count);
    }
    bytes.resize(done);
    return bytes;
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
    const fs::path target = absolute_target(path);
    create_folders(target.parent_path());
    sweep_siblings(target, "new");
    Temporary temporary(sibling(target, "new"));
    std::error_code ignored;
    fs::remove_all(temporary.path(), ignored);
    write_new_file(temporary.path(), bytes);
    if (::rename(temporary.path().c_str(), target.c_str()) != 0) {
        fail(target, "cannot write", errno);
    }
    temporary.release();
}

void write_folder_atomically(const fs::path& folder, const FileSet& files) {
    const fs::path target = absolute_target(folder);
    create_folders(target.parent_path());
    sweep_siblings(target, "new");
    Temporary temporary(sibling(target, "new"));
    std::error_code ignored;
    fs::remove_all(temporary.path(), ignored);
    create_folders(temporary.path());
    for (const auto& [name, bytes] : files) {
        const fs::path path = temporary.path() / name;
        create_folders(path.parent_path());
        write_new_file(path, bytes);
    }
    replace_folder(temporary, target);
}

}  // namespace ingot::support
