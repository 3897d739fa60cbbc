#include "unit/module/small_program.h"

extern "C" {
#include "fc_per_channel_packed_s8.h"
#include "svdf_s8.h"
}

#include "program/execute.h"

namespace ingot::test {
namespace {

using program::Role;
using program::Tensor;
using program::TensorId;
using Bytes = std::vector<std::uint8_t>;

TensorId add(program::Program& program, const std::string& id, ir::DataType type, ir::Shape shape,
             Role role, Bytes data = {}) {
    Tensor tensor;
    tensor.id = id;
    tensor.role = role;
    tensor.type = type;
    tensor.size = static_cast<std::size_t>(ir::byte_count(type, shape).value());
    tensor.shape = std::move(shape);
    tensor.data = std::move(data);
    if (id.find('_') == std::string::npos) {
        tensor.model_index = std::stoi(id);
        tensor.name = "tensor/" + id;
        tensor.quantization = {{0.5F}, {-1}, 0};
    }
    program.tensors.push_back(std::move(tensor));
    return program.tensors.size() - 1;
}

Bytes words(std::initializer_list<std::int32_t> values) {
    Bytes bytes;
    for (const std::int32_t value : values) {
        for (int shift = 0; shift < 32; shift += 8) {
            bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(value) >> shift));
        }
    }
    return bytes;
}

/// Three rows of two weights, padded to four, each with sum, multiplier 0.5 and shift.
Bytes packed_rows() {
    Bytes bytes;
    for (const std::int32_t row : {1, 2, 3}) {
        const Bytes weights = {static_cast<std::uint8_t>(row), 7, 0, 0};
        const Bytes tail = words({row * 4, 1 << 30, 1});
        bytes.insert(bytes.end(), weights.begin(), weights.end());
        bytes.insert(bytes.end(), tail.begin(), tail.end());
    }
    return bytes;
}

program::Step step(std::int32_t index, const std::string& type, const std::string& name) {
    program::Step result;
    result.op_index = index;
    result.op_type = type;
    result.name = name;
    result.label = "layer */ of ?\?/ C \\";
    return result;
}

program::Call call(const program::KernelEntry& entry, const program::FieldValues& values,
                   std::vector<std::optional<TensorId>> arguments) {
    const program::Kernel& kernel = program::kernel(entry);
    return {&kernel, program::order_fields(kernel, values), std::move(arguments)};
}

}  // namespace

program::Program small_program() {
    constexpr auto int8 = ir::DataType::int8;
    program::Program program;
    program.name = "small";
    const TensorId input = add(program, "0", int8, {4}, Role::scratch);
    const TensorId view = add(program, "1", int8, {1, 4}, Role::scratch);
    program.tensors[view].view_of = input;
    const TensorId features = add(program, "2", int8, {4, 4}, Role::constant,
                                  {10, 20, 30, 40, 1, 2, 3, 4, 5, 0, 5, 0, 9, 9, 9, 9});
    const TensorId times = add(program, "3", int8, {4, 3}, Role::constant,
                               {50, 60, 70, 80, 90, 100, 1, 2, 3, 4, 5, 6});
    const TensorId state = add(program, "4", int8, {1, 12}, Role::persistent);
    const TensorId hidden = add(program, "5", int8, {1, 4}, Role::scratch);
    const TensorId output = add(program, "6", int8, {1, 3}, Role::scratch);
    const TensorId sums = add(program, "svdf_1_weight_sum", ir::DataType::int32, {4},
                              Role::constant, words({100, 10, 10, 36}));
    const TensorId packed =
        add(program, "fully_connected_2_packed", int8, {48}, Role::constant, packed_rows());

    program::Step reshape = step(0, "RESHAPE", "reshape_0");
    reshape.reads = {{input, 0}};
    reshape.writes = {{view, 0}};

    program::Step svdf = step(1, "SVDF", "svdf_1");
    svdf.reads = {{view, 4}, {state, 12}};
    svdf.writes = {{state, 12}, {hidden, 4}};
    svdf.constants = {{features, 16}, {times, 12}, {sums, 16}};
    svdf.macs = 28;
    svdf.calls = {call(INGOT_KERNEL(svdf_s8),
                       {{"batches", std::int64_t{1}},
                        {"input_size", std::int64_t{4}},
                        {"units", std::int64_t{4}},
                        {"rank", std::int64_t{1}},
                        {"memory_size", std::int64_t{3}},
                        {"state_multiplier", std::int64_t{1} << 30},
                        {"state_shift", std::int64_t{-5}},
                        {"state_offset", std::int64_t{0}},
                        {"output_multiplier", std::int64_t{1} << 30},
                        {"output_shift", std::int64_t{-5}},
                        {"output_offset", std::int64_t{-1}}},
                       {view, features, times, std::nullopt, sums, state, hidden})};

    program::Step dense = step(2, "FULLY_CONNECTED", "fully_connected_2");
    dense.has_init = false;
    dense.reads = {{hidden, 12}};
    dense.writes = {{output, 3}};
    dense.constants = {{packed, 48}};
    dense.calls = {call(INGOT_KERNEL(fc_per_channel_packed_s8),
                        {{"batches", std::int64_t{1}},
                         {"depth", std::int64_t{4}},
                         {"outputs", std::int64_t{3}},
                         {"output_offset", std::int64_t{-1}},
                         {"activation_min", std::int64_t{-128}},
                         {"activation_max", std::int64_t{127}}},
                        {hidden, packed, output})};

    program.steps = {reshape, svdf, dense};
    program.inputs = {input};
    program.outputs = {output};
    program::verify(program);
    return program;
}

SmallModule::SmallModule(program::Program made, config::Config settings)
    : program(std::move(made)), config(std::move(settings)) {
    platform = platforms::resolve(config.platform);
    memory::PlanOptions options;
    options.memory = config.memory;
    options.prefix = config.module.prefix;
    support::Diagnostics diagnostics;
    plan = memory::plan(program, platform, options, diagnostics);
    input.program = &program;
    input.plan = &plan;
    input.platform = &platform;
    input.config = &config;
    input.model_name = "small";
    input.model_file = "small.tflite";
    input.compiler_version = "0";
    input.plan_json = input.report_json = "{}\n";
}

void add_vectors(SmallModule& module, std::size_t count) {
    module.config.test.enabled = true;
    program::Instance instance(module.program, module.plan.layout());
    instance.reset();
    std::uint8_t next = 1;
    for (std::size_t k = 0; k < count; ++k) {
        module::TestInvocation invocation;
        for (const TensorId id : module.program.inputs) {
            Bytes bytes(module.program.tensor(id).size);
            for (std::uint8_t& byte : bytes) byte = next = static_cast<std::uint8_t>(next * 37 + 5);
            const auto place = instance.bytes(id);
            std::copy(bytes.begin(), bytes.end(), place.begin());
            invocation.inputs.push_back(std::move(bytes));
        }
        instance.run();
        for (const TensorId id : module.program.outputs) {
            const auto bytes = instance.bytes(id);
            invocation.outputs.emplace_back(bytes.begin(), bytes.end());
        }
        module.input.test_vectors.push_back(std::move(invocation));
    }
}

config::Rule staging_rule() {
    config::Rule rule;
    rule.type = "CONSTANT";
    rule.memory = {"mram"};
    rule.constant_destination_memory = {"dtcm"};
    return rule;
}

}  // namespace ingot::test
