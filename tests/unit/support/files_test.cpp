#include "support/files.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/diagnostics.h"

namespace fs = std::filesystem;
using namespace ingot::support;

namespace {

class Files : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) /
                  (std::string("ingot-files-") +
                   testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    static std::string text(const fs::path& path) {
        const auto bytes = read_file(path);
        return {bytes.begin(), bytes.end()};
    }

    std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }

    fs::path folder_;
};

TEST_F(Files, FolderIsReplacedAsAWhole) {
    write_folder_atomically(folder_ / "module", {{"a.txt", "old"}, {"src/b.txt", "old"}});
    write_folder_atomically(folder_ / "module", {{"a.txt", "new"}});
    EXPECT_EQ(text(folder_ / "module/a.txt"), "new");
    EXPECT_FALSE(fs::exists(folder_ / "module/src"));
    EXPECT_EQ(entries(), 1U) << "a temporary was left behind";
}

TEST_F(Files, FailureLeavesTheOldFolder) {
    write_folder_atomically(folder_ / "module", {{"a.txt", "old"}});
    // A path that cannot be created: a file stands where a folder is needed.
    EXPECT_THROW(write_folder_atomically(folder_ / "module", {{"a", "1"}, {"a/b", "2"}}), Failure);
    EXPECT_EQ(text(folder_ / "module/a.txt"), "old");
    EXPECT_EQ(entries(), 1U) << "a temporary was left behind";
}

TEST_F(Files, WhatAKilledRunLeftIsSwept) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    const fs::path left = folder_ / (".module.new-" + std::to_string(child));
    const fs::path in_use = folder_ / (".module.new-" + std::to_string(::getppid()));
    fs::create_directories(left / "src");
    fs::create_directories(in_use);
    write_folder_atomically(folder_ / "module", {{"a.txt", "new"}});
    EXPECT_FALSE(fs::exists(left));
    EXPECT_TRUE(fs::exists(in_use)) << "that run is still at work";
}

TEST_F(Files, FileIsReplacedAsAWhole) {
    write_file_atomically(folder_ / "x.json", "one");
    write_file_atomically(folder_ / "x.json", "two");
    EXPECT_EQ(text(folder_ / "x.json"), "two");
    EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, ReadRefusesWhatIsNoFileOrTooLarge) {
    EXPECT_THROW(read_file(folder_), Failure);
    EXPECT_THROW(read_file(folder_ / "missing"), Failure);
    EXPECT_THROW(read_file("/dev/zero"), Failure);
    write_file_atomically(folder_ / "x", "12345");
    EXPECT_EQ(read_file(folder_ / "x", 5).size(), 5U);
    EXPECT_THROW(read_file(folder_ / "x", 4), Failure);
    try {
        read_file(folder_ / "missing");
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.status(), ExitStatus::io);
    }
}

}  // namespace
