// `ingot run`: executes the compiled program on the host.
#include <fmt/format.h>

#include <cstring>

#include "cli/command.h"
#include "cli/inputs.h"
#include "driver/driver.h"
#include "driver/npz.h"
#include "support/files.h"
#include "support/npy.h"
#include "support/utf8.h"

namespace ingot::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using support::ExitStatus;
using support::Failure;

constexpr std::size_t kMostInvocations = 1000000;
constexpr std::size_t kValuesShown = 16;

template <typename T>
double element(std::span<const std::uint8_t> bytes, std::size_t i) {
    T value{};
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    return static_cast<double>(value);
}

// The first elements of a tensor as text, codes as they are.
std::string values_text(const program::Tensor& tensor, std::span<const std::uint8_t> bytes) {
    double (*read)(std::span<const std::uint8_t>, std::size_t) = nullptr;
    switch (tensor.type) {
        case ir::DataType::int8:
            read = element<std::int8_t>;
            break;
        case ir::DataType::uint8:
        case ir::DataType::boolean:
            read = element<std::uint8_t>;
            break;
        case ir::DataType::int16:
            read = element<std::int16_t>;
            break;
        case ir::DataType::uint16:
            read = element<std::uint16_t>;
            break;
        case ir::DataType::int32:
            read = element<std::int32_t>;
            break;
        case ir::DataType::uint32:
            read = element<std::uint32_t>;
            break;
        case ir::DataType::int64:
            read = element<std::int64_t>;
            break;
        case ir::DataType::float32:
            read = element<float>;
            break;
        default:
            return fmt::format("{} bytes", bytes.size());
    }
    const std::size_t count = bytes.size() * 8 / ir::bits(tensor.type);
    std::string text;
    for (std::size_t i = 0; i < std::min(count, kValuesShown); ++i) {
        text += fmt::format("{}{}", i == 0 ? "" : " ", read(bytes, i));
    }
    if (count > kValuesShown) text += fmt::format(" ... ({} values)", count);
    return text;
}

struct Run {
    ConfigFlags config;
    std::string model;
    InputOptions inputs;
    std::string output_dir;
    std::string layers;
    bool npy = false;

    void add_to(CLI::App& app) {
        app.add_option("MODEL", model, "The .tflite file")->required();
        app.add_option("--input", inputs.files,
                       "An input, .npy or raw little-endian bytes; several invocations one after "
                       "another; without a name the next input. The only file of a model with "
                       "several inputs holds all of them")
            ->type_name("[NAME|INDEX=]FILE")
            ->allow_extra_args(false);
        app.add_option("--output-dir", output_dir, "Write output_<k>.bin for each output")
            ->type_name("DIR");
        app.add_option("--invocations", inputs.invocations, "Number of runs on one instance")
            ->type_name("N")
            ->check(CLI::Range(std::size_t{1}, kMostInvocations));
        app.add_option("--seed", inputs.seed, "For the random values of inputs without a file [0]")
            ->type_name("N");
        app.add_flag("--npy", npy, "Write the outputs as .npy, invocations as leading axis");
        app.add_option("--layers", layers, "Write every operator's outputs")->type_name("DIR");
        config.add_to(app);
    }

    ExitStatus run(Session& session) {
        config.values.push_back({"model.path", model});
        const config::Config loaded = config.load(session);
        const auto bytes = read_model(loaded);
        driver::CompileOptions options;
        options.ignore_budgets = true;
        const driver::Compilation compilation =
            driver::compile(loaded, bytes, model_file_name(loaded), options, session.diagnostics);
        const program::Program& program = compilation.program;
        if (npy) check_npy_types(program);
        // Refuses what needs too much memory before inputs are made for it.
        program::Instance instance(program, compilation.plan.layout());
        const Invocations invocations = read_inputs(program, inputs);
        std::vector<std::string> outputs(program.outputs.size());
        execute(compilation, instance, invocations, outputs);
        write_outputs(program, outputs, invocations.size());
        report(session, program, outputs, invocations.size());
        return ExitStatus::ok;
    }

    static void check_npy_types(const program::Program& program) {
        for (const program::TensorId id : program.outputs) {
            if (!driver::npy_type(program.tensor(id).type).empty()) continue;
            throw Failure(
                ExitStatus::usage, "--npy",
                fmt::format("NumPy has no type for {}", ir::name(program.tensor(id).type)),
                "write raw bytes: leave --npy out");
        }
    }

    void execute(const driver::Compilation& compilation, program::Instance& instance,
                 const Invocations& invocations, std::vector<std::string>& outputs) const {
        const program::Program& program = compilation.program;
        for (std::size_t k = 0; k < invocations.size(); ++k) {
            for (std::size_t i = 0; i < program.inputs.size(); ++i) {
                std::copy(invocations[k][i].begin(), invocations[k][i].end(),
                          instance.bytes(program.inputs[i]).begin());
            }
            const std::int32_t status = instance.run([&](std::size_t step) {
                if (!layers.empty()) write_layer(compilation, instance, k, step);
            });
            if (status != 0) {
                throw Failure(ExitStatus::internal, "",
                              fmt::format("an operator ended with status {}", status));
            }
            for (std::size_t o = 0; o < outputs.size(); ++o) {
                const auto bytes = instance.bytes(program.outputs[o]);
                outputs[o].append(bytes.begin(), bytes.end());
            }
        }
    }

    // The operator's outputs right after it ran, as inv<N>_op<KK>_out<J>.bin.
    void write_layer(const driver::Compilation& compilation, program::Instance& instance,
                     std::size_t invocation, std::size_t step_number) const {
        const program::Program& program = compilation.program;
        const program::Step& step = program.steps[step_number];
        for (const ir::Operator& op : compilation.graph.operators) {
            if (op.index != step.op_index) continue;
            for (std::size_t j = 0; j < op.outputs.size(); ++j) {
                const auto id = tensor_of(program, op.outputs[j]);
                if (!id) continue;
                const auto bytes = instance.bytes(*id);
                support::write_file_atomically(
                    fs::path(layers) /
                        fmt::format("inv{}_op{:02}_out{}.bin", invocation, step.op_index, j),
                    std::string(bytes.begin(), bytes.end()));
            }
        }
    }

    static std::optional<program::TensorId> tensor_of(const program::Program& program,
                                                      ir::TensorIndex index) {
        for (program::TensorId id = 0; id < program.tensors.size(); ++id) {
            if (index != ir::kAbsent && program.tensors[id].model_index == index) return id;
        }
        return std::nullopt;
    }

    void write_outputs(const program::Program& program, const std::vector<std::string>& outputs,
                       std::size_t invocations) const {
        if (output_dir.empty()) return;
        for (std::size_t o = 0; o < outputs.size(); ++o) {
            const fs::path stem = fs::path(output_dir) / fmt::format("output_{}", o);
            if (!npy) {
                support::write_file_atomically(stem.string() + ".bin", outputs[o]);
                continue;
            }
            const program::Tensor& tensor = program.tensor(program.outputs[o]);
            support::NpyArray array;
            array.type = driver::npy_type(tensor.type);
            array.shape = {invocations};
            array.shape.insert(array.shape.end(), tensor.shape.begin(), tensor.shape.end());
            const std::vector<std::uint8_t> bytes(outputs[o].begin(), outputs[o].end());
            array.data = bytes;
            support::write_file_atomically(stem.string() + ".npy", support::write_npy(array));
        }
    }

    void report(Session& session, const program::Program& program,
                const std::vector<std::string>& outputs, std::size_t invocations) const {
        session.result = {{"invocations", invocations}, {"outputs", json::array()}};
        for (std::size_t o = 0; o < outputs.size(); ++o) {
            const program::Tensor& tensor = program.tensor(program.outputs[o]);
            const std::string name = support::printable(tensor.name, 60);
            session.result["outputs"].push_back({{"name", tensor.name},
                                                 {"type", std::string(ir::name(tensor.type))},
                                                 {"shape", tensor.shape},
                                                 {"bytes", tensor.size}});
            if (!output_dir.empty()) continue;
            std::string text = fmt::format("output {} \"{}\": {} {}\n", o, name,
                                           ir::name(tensor.type), ir::to_text(tensor.shape));
            const std::vector<std::uint8_t> bytes(outputs[o].begin(), outputs[o].end());
            for (std::size_t k = 0; k < std::min(invocations, kValuesShown); ++k) {
                const auto part = std::span(bytes).subspan(k * tensor.size, tensor.size);
                text += fmt::format("  run {}: {}\n", k, values_text(tensor, part));
            }
            session.print(text);
        }
    }
};

}  // namespace

void add_run(CLI::App& root, Session& session, Commands& commands) {
    CLI::App* app =
        add_command(root, session, "run", "Run a model on this machine, exactly as the C would",
                    "ingot run model.tflite --input input.npy --output-dir out");
    const auto run = std::make_shared<Run>();
    run->add_to(*app);
    commands.push_back({app, [run](Session& s) { return run->run(s); }});
}

}  // namespace ingot::cli
