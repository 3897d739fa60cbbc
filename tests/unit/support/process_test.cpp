#include "support/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace ingot::support {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

Process shell(const std::string& script) {
    Process process;
    process.words = {"/bin/sh", "-c", script};
    return process;
}

TEST(Process, KeepsBothOutputsAndTheStatus) {
    const ProcessResult result = run_process(shell("echo out; echo err >&2; exit 3"));
    EXPECT_EQ(result.end, ProcessEnd::exited);
    EXPECT_EQ(result.status, 3);
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(result.output, "out\n");
    EXPECT_EQ(result.errors, "err\n");
    EXPECT_TRUE(run_process(shell("true")).ok());
}

TEST(Process, PassesArgumentsAsTheyAre) {
    Process process;
    process.words = {"printf", "%s|", "a b", "$HOME", "*", ""};
    EXPECT_EQ(run_process(process).output, "a b|$HOME|*||");
}

TEST(Process, RunsInTheFolderWithoutInput) {
    Process process = shell("pwd; cat");
    process.folder = "/usr";
    EXPECT_EQ(run_process(process).output, "/usr\n");
}

TEST(Process, AddsToTheEnvironment) {
    Process process = shell("echo $INGOT_TEST_VARIABLE:$HOME:$PATH");
    process.environment = {{"INGOT_TEST_VARIABLE", "a b"}, {"HOME", "/nowhere"}};
    EXPECT_EQ(run_process(process).output,
              std::string("a b:/nowhere:") + std::getenv("PATH") + "\n");
}

TEST(Process, TellsMissingProgramsFromFailingOnes) {
    Process process;
    process.words = {"no-such-program-anywhere"};
    EXPECT_EQ(run_process(process).end, ProcessEnd::not_found);
    process.words = {"/etc/passwd"};
    EXPECT_EQ(run_process(process).end, ProcessEnd::not_started);
    EXPECT_EQ(run_process(process).status, EACCES);
    EXPECT_THROW(run_process(Process{}), std::logic_error);
}

TEST(Process, TellsSignals) {
    const ProcessResult result = run_process(shell("kill -SEGV $$"));
    EXPECT_EQ(result.end, ProcessEnd::signalled);
    EXPECT_EQ(result.status, SIGSEGV);
}

TEST(Process, KeepsAtMostOneMebibyteAndReadsOn) {
    const ProcessResult result = run_process(shell("head -c 3000000 /dev/zero; exit 4"));
    EXPECT_EQ(result.status, 4);
    EXPECT_EQ(result.output.size(), std::size_t{1} << 20);
}

TEST(Process, EndsWhatTakesTooLongWithItsChildren) {
    const TemporaryFolder folder("ingot-test");
    Process process = shell("sleep 600 & echo $! > child; wait");
    process.folder = folder.path();
    process.timeout = 300ms;
    EXPECT_EQ(run_process(process).end, ProcessEnd::timed_out);
    pid_t child = 0;
    std::ifstream(folder.path() / "child") >> child;
    ASSERT_GT(child, 0);
    // What is ended may stay a moment as a process that nobody has asked for its status.
    std::string state;
    for (int i = 0; i < 100; ++i) {
        std::ifstream status("/proc/" + std::to_string(child) + "/stat");
        std::string number;
        std::string name;
        state.clear();
        if (!(status >> number >> name >> state) || state == "Z") break;
        usleep(10000);
    }
    EXPECT_TRUE(state.empty() || state == "Z") << state;
}

TEST(Process, EndsWhenInterrupted) {
    Process process = shell("exec sleep 600");
    int asked = 0;
    process.interrupted = [&asked] { return ++asked > 2; };
    EXPECT_EQ(run_process(process).end, ProcessEnd::interrupted);
}

TEST(Process, DoesNotWaitForWhatTheProgramLeavesBehind) {
    Process process = shell("sleep 5 & echo done");
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(run_process(process).output, "done\n");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s);
}

TEST(TemporaryFolder, IsRemovedWithItsContents) {
    std::filesystem::path path;
    {
        const TemporaryFolder folder("ingot-test");
        path = folder.path();
        EXPECT_THAT(path.filename().string(), HasSubstr("ingot-test-"));
        std::filesystem::create_directory(path / "below");
        std::ofstream(path / "below" / "file") << "text";
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace ingot::support
