// A sign of life on a terminal while something takes longer than a second.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "cli/session.h"

namespace ingot::cli {

/// From construction to the end of its life: nothing for a second, then `what` and the seconds
/// on one line of stderr, which is cleared in the end. Only on a terminal, and not with -q.
class Progress {
  public:
    Progress(const Session& session, std::string what);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

  private:
    void show();

    std::string what_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool ended_ = false;
    std::thread thread_;
};

}  // namespace ingot::cli
