#include "cli/progress.h"

#include <unistd.h>

#include <chrono>
#include <iostream>
#include <utility>

#include "support/utf8.h"

namespace ingot::cli {

Progress::Progress(const Session& session, std::string what) : what_(std::move(what)) {
    if (session.flags.quiet || isatty(STDERR_FILENO) != 1) return;
    thread_ = std::thread([this] { show(); });
}

Progress::~Progress() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    wake_.notify_one();
    thread_.join();
}

void Progress::show() {
    const std::string text = "\r" + support::printable(what_, 60) + " ... ";
    std::unique_lock lock(mutex_);
    int seconds = 0;
    while (!wake_.wait_for(lock, std::chrono::seconds(1), [this] { return ended_; })) {
        std::cerr << text << ++seconds << " s" << std::flush;
    }
    if (seconds > 0) std::cerr << "\r\x1b[K" << std::flush;
}

}  // namespace ingot::cli
