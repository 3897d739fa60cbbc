#include "verify/harness.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "memory/plan.h"
#include "module/render.h"
#include "module/text.h"
#include "report/residency.h"
#include "support/diagnostics.h"
#include "support/utf8.h"
#include "verify/compare.h"

namespace ingot::verify {
namespace {

using nlohmann::json;
using support::ExitStatus;
using support::Failure;

constexpr const char* kCutShort = "the program ended before its last result";
constexpr std::uint64_t kStack = 64 << 10;
// Code, and small objects beside the arenas: far more than any module has.
constexpr std::uint64_t kCodeRoom = 128 << 10;
constexpr std::uint64_t kDataRoom = 32 << 10;

// The arenas that the application owns; those of constants hold the bytes of their files.
json arenas(const driver::Conversion& conversion) {
    const driver::Compilation& compilation = conversion.compilation;
    const bool allocated = compilation.config.memory.allocate_arenas;
    json list = json::array();
    if (allocated) return list;
    for (std::size_t i = 0; i < compilation.plan.regions.size(); ++i) {
        const memory::Region& region = compilation.plan.regions[i];
        const bool constant = region.role == program::Role::constant && !region.staged();
        const std::vector<std::uint8_t> bytes =
            constant ? region.contents(compilation.program, compilation.plan)
                     : std::vector<std::uint8_t>{};
        list.push_back(
            {{"index", i},
             {"enum", region.enum_name},
             {"comment", fmt::format("{}, in {}", program::name(region.role), region.memory)},
             {"qualifier", constant ? "const " : ""},
             {"is_constant", constant},
             {"bytes", module::byte_rows(bytes)}});
    }
    return list;
}

// Bytes that the program needs: of constants as they are stored, and of arenas in RAM.
struct Need {
    std::uint64_t constants = 0;
    std::uint64_t arenas = 0;
};

Need need(const driver::Compilation& compilation) {
    Need result;
    for (const memory::Region& region : compilation.plan.regions) {
        const std::uint64_t size = region.size + region.alignment;
        const bool constant = region.role == program::Role::constant;
        const platforms::Memory* memory = compilation.platform.find(region.memory);
        const bool kept = memory != nullptr && !memory->is_volatile;
        if (constant) result.constants += size;
        // Constants in RAM are stored elsewhere and copied, by start-up code or by hydration.
        if (!constant || !kept) result.arenas += size;
    }
    return result;
}

json memory_line(const Block& block) {
    return {{"name", block.name}, {"base", block.base}, {"size", block.size}};
}

// Takes the numbers and bytes of the results one after another.
class Reader {
  public:
    explicit Reader(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

    std::optional<std::span<const std::uint8_t>> take(std::size_t size) {
        if (rest_.size() < size) return std::nullopt;
        const auto part = rest_.first(size);
        rest_ = rest_.subspan(size);
        return part;
    }

    template <typename T>
    std::optional<T> number() {
        const auto part = take(sizeof(T));
        if (!part) return std::nullopt;
        T value{};
        std::memcpy(&value, part->data(), sizeof(T));
        return value;
    }

  private:
    std::span<const std::uint8_t> rest_;
};

std::string place(std::size_t sequence, std::size_t sequences, std::size_t invocation) {
    const std::string in = sequences == 1 ? "" : fmt::format("sequence {}, ", sequence);
    return fmt::format("{}invocation {}", in, invocation);
}

// One sequence; gives how it ended before its end, else nothing.
std::string read_sequence(Reader& reader, const driver::Compilation& compilation,
                          const Sequences& sequences, std::size_t s, Result& result) {
    const auto init = reader.number<std::int32_t>();
    if (!init) return kCutShort;
    if (*init != 0) return fmt::format("init returned {}", *init);
    for (std::size_t k = 0; k < sequences[s].size(); ++k) {
        const auto status = reader.number<std::int32_t>();
        if (!status) return kCutShort;
        if (*status != 0) {
            return fmt::format("{}: run returned {}", place(s, sequences.size(), k), *status);
        }
        for (std::size_t o = 0; o < result.outputs.size(); ++o) {
            const program::Tensor& tensor =
                compilation.program.tensor(compilation.program.outputs[o]);
            const auto got = reader.take(tensor.size);
            if (!got) return kCutShort;
            compare(tensor, compilation.config.test.tolerance, sequences[s][k].outputs.at(o), *got,
                    s, k, result.outputs[o]);
        }
    }
    return {};
}

}  // namespace

std::string harness_source(const driver::Conversion& conversion) {
    const driver::Compilation& compilation = conversion.compilation;
    const config::Config& config = compilation.config;
    bool staged = false;
    for (const memory::Region& region : compilation.plan.regions) staged |= region.staged();
    const std::string& prefix = config.module.prefix;
    return module::render(
        "templates/verify/harness.c.mustache",
        {{"prefix", prefix},
         {"PREFIX", module::upper(prefix)},
         {"module", module::comment_text(config.module.name)},
         {"allocated", config.memory.allocate_arenas},
         {"has_inputs", !compilation.program.inputs.empty()},
         {"has_outputs", !compilation.program.outputs.empty()},
         {"regions_extent", compilation.plan.regions.empty() ? "1" : prefix + "_num_arena_buffers"},
         {"hydrate", staged && !config.memory.auto_hydrate_constants},
         {"arenas", arenas(conversion)}});
}

std::string linker_script(const driver::Conversion& conversion, const Board& board) {
    const Need needed = need(conversion.compilation);
    const bool constants_fit = needed.constants + kCodeRoom <= board.code.size;
    const bool arenas_fit = needed.arenas + kStack + kDataRoom <= board.data.size;
    const std::uint64_t in_large =
        (constants_fit ? 0 : needed.constants) + (arenas_fit ? 0 : needed.arenas + kDataRoom);
    if (in_large > board.large.size) {
        throw Failure(ExitStatus::memory, "",
                      fmt::format("the module does not fit {}: constants of {} bytes, arenas of {}",
                                  board.machine, needed.constants, needed.arenas));
    }
    return module::render(
        "templates/verify/link.ld.mustache",
        {{"core", board.core},
         {"machine", board.machine},
         {"memories", {memory_line(board.code), memory_line(board.data), memory_line(board.large)}},
         {"code", board.code.name},
         {"constants", constants_fit ? board.code.name : board.large.name},
         {"data", arenas_fit ? board.data.name : board.large.name},
         {"stack", kStack},
         {"stack_memory", board.data.name}});
}

std::string vectors_file(const Sequences& sequences) {
    std::string text;
    for (const auto& sequence : sequences) {
        const auto count = static_cast<std::uint32_t>(sequence.size());
        for (unsigned shift = 0; shift < 32; shift += 8) {
            text += static_cast<char>(count >> shift & 0xFFU);
        }
        for (const module::TestInvocation& invocation : sequence) {
            for (const auto& bytes : invocation.inputs) text.append(bytes.begin(), bytes.end());
        }
    }
    return text;
}

void read_results(const std::vector<std::uint8_t>& bytes, const driver::Conversion& conversion,
                  const Sequences& sequences, const std::string& ended, Result& result) {
    const driver::Compilation& compilation = conversion.compilation;
    for (const program::TensorId id : compilation.program.outputs) {
        result.outputs.emplace_back();
        result.outputs.back().name = compilation.program.tensor(id).name;
    }
    result.sequences = sequences.size();
    for (const auto& sequence : sequences) result.invocations += sequence.size();
    Reader reader(bytes);
    for (std::size_t s = 0; s < sequences.size() && result.failure.empty(); ++s) {
        result.failure = read_sequence(reader, compilation, sequences, s, result);
    }
    const auto init_stack = reader.number<std::uint32_t>();
    const auto run_stack = reader.number<std::uint32_t>();
    if (result.measured && init_stack && run_stack) {
        result.measured->init_stack = *init_stack;
        result.measured->run_stack = *run_stack;
    }
    // How the program ended says more than where its results do, a status of the module most.
    if (!ended.empty() && (result.failure.empty() || result.failure == kCutShort)) {
        result.failure = ended;
    }
}

}  // namespace ingot::verify
