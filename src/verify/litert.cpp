// Expected outputs from LiteRT.
#include <cstdlib>

#include "support/embedded.h"
#include "support/files.h"
#include "verify/toolchain.h"
#include "verify/verify.h"

namespace ingot::verify {
namespace {

namespace fs = std::filesystem;
using support::ExitStatus;
using support::Failure;

constexpr int kNoLitert = 3;  // the script's status when Python has no LiteRT

Tool python() {
    const char* chosen = std::getenv("INGOT_PYTHON");
    return {{chosen == nullptr || *chosen == '\0' ? "python3" : chosen}, "python3"};
}

std::string inputs_file(const std::vector<module::TestInvocation>& sequence) {
    std::string text;
    for (const module::TestInvocation& invocation : sequence) {
        for (const auto& bytes : invocation.inputs) text.append(bytes.begin(), bytes.end());
    }
    return text;
}

void take_outputs(const std::vector<std::uint8_t>& bytes, const program::Program& program,
                  std::vector<module::TestInvocation>& sequence) {
    auto at = bytes.begin();
    for (module::TestInvocation& invocation : sequence) {
        invocation.outputs.clear();
        for (const program::TensorId id : program.outputs) {
            const auto size = static_cast<std::ptrdiff_t>(program.tensor(id).size);
            if (bytes.end() - at < size) {
                throw Failure(ExitStatus::tool, "LiteRT",
                              "gave fewer bytes than the model's outputs have");
            }
            invocation.outputs.emplace_back(at, at + size);
            at += size;
        }
    }
    if (at != bytes.end()) {
        throw Failure(ExitStatus::tool, "LiteRT", "gave more bytes than the model's outputs have");
    }
}

}  // namespace

void ask_litert(const fs::path& model, const program::Program& program, const Options& options,
                Sequences& sequences) {
    const support::TemporaryFolder temporary("ingot-verify");
    const fs::path& folder = temporary.path();
    support::write_file_atomically(folder / "litert.py",
                                   support::embedded_file("targets/litert.py"));
    for (auto& sequence : sequences) {
        support::write_file_atomically(folder / "inputs.bin", inputs_file(sequence));
        const auto result = call(python(),
                                 {"litert.py", fs::absolute(model).string(), "inputs.bin",
                                  "outputs.bin", std::to_string(sequence.size())},
                                 folder, options);
        if (result.end == support::ProcessEnd::exited && result.status == kNoLitert) {
            throw Failure(ExitStatus::tool, python().command.front(),
                          "LiteRT cannot be loaded: " + result.errors,
                          "install it with 'pip install ai-edge-litert', or name another Python "
                          "in INGOT_PYTHON");
        }
        if (!result.ok()) {
            throw Failure(ExitStatus::tool, python().command.front(),
                          "LiteRT failed:\n" + result.errors + result.output);
        }
        take_outputs(support::read_file(folder / "outputs.bin"), program, sequence);
    }
}

}  // namespace ingot::verify
