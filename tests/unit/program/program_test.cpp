// The program's contract, the order of enumerators and execution on the host.
#include "program/program.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "program/execute.h"
#include "support/diagnostics.h"

extern "C" {
#include "fully_connected_s8.h"
}

namespace ingot::program {
namespace {

Tensor tensor(std::string id, Role role, std::size_t size, std::int32_t model_index = -1) {
    Tensor result;
    result.id = std::move(id);
    result.role = role;
    result.size = size;
    result.shape = {static_cast<std::int32_t>(size)};
    result.model_index = model_index;
    if (role == Role::constant) result.data.assign(size, 1);
    return result;
}

/// A view, and a fully connected step on it with weights 1: each output is the sum of the three
/// inputs, plus 10 or -10.
Program sample() {
    Program program;
    program.tensors = {tensor("7", Role::scratch, 3, 7),
                       tensor("4", Role::scratch, 3, 4),
                       tensor("fully_connected_1_weight_sum", Role::constant, 8),
                       tensor("3", Role::constant, 6, 3),
                       tensor("9", Role::scratch, 2, 9),
                       tensor("fully_connected_1_scratch", Role::scratch, 16)};
    program.tensors[1].view_of = 0;
    program.tensors[2].data = {10, 0, 0, 0, 0xF6, 0xFF, 0xFF, 0xFF};  // 10, -10
    Step step;
    step.op_index = 1;
    step.name = "fully_connected_1";
    step.reads = {{1, 3}};
    step.writes = {{4, 2}};
    step.constants = {{3, 6}, {2, 8}};
    step.scratch = {5};
    const Kernel& k = kernel(INGOT_KERNEL(fully_connected_s8));
    const FieldValues values = {
        {"batches", std::int64_t{1}},           {"depth", std::int64_t{3}},
        {"outputs", std::int64_t{2}},           {"input_offset", std::int64_t{0}},
        {"filter_offset", std::int64_t{0}},     {"output_offset", std::int64_t{0}},
        {"multiplier", std::int64_t{1} << 30},  {"shift", std::int64_t{1}},
        {"activation_min", std::int64_t{-128}}, {"activation_max", std::int64_t{127}}};
    step.calls = {{&k, order_fields(k, values), {1, 3, 2, 4}}};
    Step view;
    view.name = "reshape_0";
    view.reads = {{0, 0}};
    view.writes = {{1, 0}};
    program.steps = {view, step};
    program.inputs = {0};
    program.outputs = {4};
    return program;
}

TEST(Program, EnumeratorsAreModelTensorsThenThoseOfSteps) {
    EXPECT_EQ(enumerator_order(sample()), (std::vector<TensorId>{3, 1, 0, 4, 5, 2}));
}

TEST(Program, ConstantsOfAStepHaveARank) {
    EXPECT_EQ(constant_rank("conv_2d_0_weight_sum", "conv_2d_0"), 0U);
    EXPECT_EQ(constant_rank("conv_2d_0_packed", "conv_2d_0"), 3U);
    EXPECT_EQ(constant_rank("conv_2d_0_table", "conv_2d_0"), 4U);
    EXPECT_EQ(constant_rank("12", "conv_2d_0"), 4U);
}

TEST(Program, ViewsHaveTheirRootsPlace) {
    const Program program = sample();
    EXPECT_EQ(program.root(1), 0U);
    EXPECT_EQ(program.root(4), 4U);
    const Layout layout = separate_layout(program);
    EXPECT_EQ(layout.places[1].arena, layout.places[0].arena);
    EXPECT_EQ(layout.arena_sizes.size(), 5U);
}

TEST(Program, VerifyFindsEveryBreach) {
    ASSERT_NO_THROW(verify(sample()));
    const auto broken = [](auto change) {
        Program program = sample();
        change(program);
        EXPECT_THROW(verify(program), std::exception);
    };
    broken([](Program& p) { p.tensors[1].id = "7"; });
    broken([](Program& p) { p.tensors[0].view_of = 1; });
    broken([](Program& p) { p.tensors[1].role = Role::persistent; });
    broken([](Program& p) { p.tensors[1].size = 4; });
    broken([](Program& p) { p.tensors[3].data.pop_back(); });
    broken([](Program& p) { p.inputs.clear(); });
    broken([](Program& p) { p.outputs = {5}; });
    broken([](Program& p) { p.outputs = {6}; });
    broken([](Program& p) { p.steps[1].reads[0].tensor = 4; });
    broken([](Program& p) { p.steps[1].constants[0].tensor = 0; });
    broken([](Program& p) { p.steps[1].scratch = {3}; });
    broken([](Program& p) { p.steps[1].calls[0].arguments.pop_back(); });
    broken([](Program& p) { p.steps[1].calls[0].arguments[0] = 6; });
    broken([](Program& p) { p.steps[1].calls[0].kernel = nullptr; });
    broken([](Program& p) { p.steps[1].calls[0].descriptor.pop_back(); });
}

TEST(Instance, RunsAndKeepsState) {
    Program program = sample();
    program.tensors.push_back(tensor("12", Role::persistent, 3, 12));
    program.tensors[6].initial_byte = 5;
    Instance instance(program, separate_layout(program));
    EXPECT_EQ(instance.bytes(6)[2], 5);
    instance.bytes(6)[2] = 9;
    instance.bytes(0)[0] = 1;
    instance.bytes(1)[1] = 2;  // a view shows the same bytes
    instance.bytes(0)[2] = 3;
    std::vector<std::size_t> seen;
    EXPECT_EQ(instance.run([&](std::size_t step) { seen.push_back(step); }), 0);
    EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(instance.bytes(4)[0], 16);
    EXPECT_EQ(static_cast<std::int8_t>(instance.bytes(4)[1]), -4);
    EXPECT_EQ(instance.bytes(6)[2], 9);
    instance.reset();
    EXPECT_EQ(instance.bytes(6)[2], 5);
}

TEST(Instance, AbsentArgumentsAreNull) {
    Program program = sample();
    program.steps[1].calls[0].arguments[2] = std::nullopt;
    Instance instance(program, separate_layout(program));
    instance.bytes(0)[0] = 4;
    ASSERT_EQ(instance.run(), 0);
    EXPECT_EQ(instance.bytes(4)[0], 4);
    EXPECT_EQ(instance.bytes(4)[1], 4);
}

TEST(Instance, ArenasAreAligned) {
    const Program program = sample();
    Instance instance(program, separate_layout(program));
    for (TensorId id = 0; id < program.tensors.size(); ++id) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(instance.bytes(id).data()) % 16, 0U);
    }
}

TEST(Instance, HostileSizesAreRefused) {
    Program program = sample();
    program.tensors[0].size = Instance::kLimit;
    try {
        Instance instance(program, separate_layout(program));
        FAIL();
    } catch (const support::Failure& failure) {
        EXPECT_EQ(failure.status(), support::ExitStatus::memory);
    }
    Layout layout = separate_layout(sample());
    layout.places[0].offset = static_cast<std::size_t>(-1);
    const Program small = sample();
    EXPECT_THROW(Instance(small, layout), std::logic_error);
}

}  // namespace
}  // namespace ingot::program
