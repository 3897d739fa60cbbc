// Random graphs of SLICE, SPLIT, CONCATENATION, RELU and ADD: with parts laid into place, and
// tensors over each other by the plan, they compute what they do with a place of its own for each
// tensor.
#include "memory/parts.h"

#include <gtest/gtest.h>

#include <random>

#include "ops/operator.h"
#include "program/execute.h"
#include "support/diagnostics.h"
#include "unit/ops/one_operator.h"

namespace ingot {
namespace {

using Random = std::mt19937;

int pick(Random& random, int least, int most) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
}

class Graphs {
  public:
    explicit Graphs(unsigned seed) : random_(seed) {
        for (int i = pick(random_, 1, 2); i > 0; --i) {
            graph.inputs.push_back(tensor({pick(random_, 1, 2), 4, 16}));
        }
        live_ = graph.inputs;
        for (int i = 0; i < 12; ++i) grow();
        // What nobody reads, and now and then what somebody does.
        std::vector<bool> read(graph.tensors.size(), false);
        for (const ir::Operator& op : graph.operators) {
            for (const ir::TensorIndex i : op.inputs) read[static_cast<std::size_t>(i)] = true;
        }
        for (const ir::TensorIndex i : live_) {
            if (!read[static_cast<std::size_t>(i)] || pick(random_, 0, 7) == 0) {
                graph.outputs.push_back(i);
            }
        }
    }

    ir::Graph graph;

  private:
    ir::TensorIndex tensor(ir::Shape shape) {
        ir::Tensor result;
        result.type = ir::DataType::int8;
        result.shape = std::move(shape);
        result.quantization = {{0.5F}, {-3}, 0};
        graph.tensors.push_back(std::move(result));
        return static_cast<ir::TensorIndex>(graph.tensors.size() - 1);
    }

    ir::TensorIndex constant(const std::vector<std::int32_t>& values) {
        const ir::TensorIndex i = tensor({static_cast<std::int32_t>(values.size())});
        graph.tensor(i).type = ir::DataType::int32;
        graph.tensor(i).constant = true;
        graph.tensor(i).data = test::to_bytes(values);
        return i;
    }

    void add(const char* type, std::vector<ir::TensorIndex> inputs,
             std::vector<ir::TensorIndex> outputs, const ir::Attributes& options) {
        ir::Operator op;
        op.type = type;
        op.index = static_cast<std::int32_t>(graph.operators.size());
        op.inputs = std::move(inputs);
        op.outputs = outputs;
        op.has_options = true;
        op.attributes = options;
        graph.operators.push_back(std::move(op));
        live_.insert(live_.end(), outputs.begin(), outputs.end());
    }

    void split(ir::TensorIndex source) {
        const ir::Shape whole = graph.tensor(source).shape;
        const int axis = pick(random_, 0, 2);
        const int length = whole[static_cast<std::size_t>(axis)];
        const int count = length % 2 == 0 ? 2 : 1;
        ir::Shape shape = whole;
        shape[static_cast<std::size_t>(axis)] = length / count;
        std::vector<ir::TensorIndex> pieces;
        for (int i = 0; i < count; ++i) pieces.push_back(tensor(shape));
        add("SPLIT", {constant({axis}), source}, pieces, test::options({{"num_splits", count}}));
    }

    void slice(ir::TensorIndex source) {
        std::vector<std::int32_t> begin;
        std::vector<std::int32_t> size;
        for (const std::int32_t length : graph.tensor(source).shape) {
            begin.push_back(pick(random_, 0, length > 1 ? 1 : 0));
            size.push_back(pick(random_, 1, length - begin.back()));
        }
        add("SLICE", {source, constant(begin), constant(size)}, {tensor(ir::Shape(size))}, {});
    }

    void join(ir::TensorIndex first) {
        const int axis = pick(random_, 0, 2);
        std::vector<ir::TensorIndex> operands = {first};
        ir::Shape shape = graph.tensor(first).shape;
        for (const ir::TensorIndex other : live_) {
            ir::Shape same = graph.tensor(other).shape;
            const std::int32_t length = same[static_cast<std::size_t>(axis)];
            same[static_cast<std::size_t>(axis)] =
                graph.tensor(first).shape[static_cast<std::size_t>(axis)];
            if (same != graph.tensor(first).shape || operands.size() > 3) continue;
            if (pick(random_, 0, 1) == 0) continue;
            operands.push_back(other);
            shape[static_cast<std::size_t>(axis)] += length;
        }
        add("CONCATENATION", operands, {tensor(shape)},
            test::options({{"axis", axis}, {"fused_activation_function", 0}}));
    }

    void grow() {
        const ir::TensorIndex source =
            live_[static_cast<std::size_t>(pick(random_, 0, static_cast<int>(live_.size()) - 1))];
        const ir::Shape shape = graph.tensor(source).shape;
        switch (pick(random_, 0, 5)) {
            case 0:
                return split(source);
            case 1:
                return slice(source);
            case 2:
            case 3:
                return join(source);
            case 4:
                return add("RELU", {source}, {tensor(shape)}, {});
            default:
                return add("ADD", {source, source}, {tensor(shape)},
                           test::options({{"fused_activation_function", 0}}));
        }
    }

    Random random_;
    std::vector<ir::TensorIndex> live_;
};

std::vector<std::vector<std::uint8_t>> outputs(const program::Program& program,
                                               const program::Layout& layout) {
    program::Instance instance(program, layout);
    std::uint8_t next = 1;
    for (const program::TensorId id : program.inputs) {
        for (std::uint8_t& byte : instance.bytes(id))
            byte = next = static_cast<std::uint8_t>(next * 5 + 3);
    }
    EXPECT_EQ(instance.run(), 0);
    std::vector<std::vector<std::uint8_t>> result;
    for (const program::TensorId id : program.outputs) {
        const auto bytes = instance.bytes(id);
        result.emplace_back(bytes.begin(), bytes.end());
    }
    return result;
}

platforms::Platform one_memory() {
    platforms::Platform platform;
    platform.name = "one";
    platform.cpu = "cortex-m4";
    platform.memories.emplace_back();
    platform.memories[0].name = "ram";
    platform.order = {std::vector<std::string>{"ram"}, std::vector<std::string>{"ram"},
                      std::vector<std::string>{"ram"}};
    return platform;
}

std::size_t scratch_bound(const memory::MemoryPlan& plan) {
    return plan.regions.at(0).overlap_lower_bound;
}

TEST(Parts, InPlaceTheyComputeTheSameAndNeedNoMore) {
    std::size_t placed = 0;
    std::size_t saved = 0;
    for (unsigned seed = 0; seed < 80; ++seed) {
        SCOPED_TRACE(seed);
        const program::Program copied = ops::lower(Graphs(seed).graph, {});
        const auto expected = outputs(copied, program::separate_layout(copied));
        for (const bool overwritable : {true, false}) {
            memory::PlanOptions options;
            options.inputs_overwritable = overwritable;
            support::Diagnostics diagnostics;
            const auto before = memory::plan(copied, one_memory(), options, diagnostics);
            program::Program program = copied;
            placed += memory::place_parts(program, options);
            program::verify(program);
            const auto plan = memory::plan(program, one_memory(), options, diagnostics);
            memory::verify(program, plan);
            memory::set_directions(program, plan);
            EXPECT_EQ(outputs(program, plan.layout()), expected);
            EXPECT_EQ(outputs(program, program::separate_layout(program)), expected);
            EXPECT_LE(scratch_bound(plan), scratch_bound(before));
            saved += scratch_bound(before) - scratch_bound(plan);
            for (const auto* list : {&program.inputs, &program.outputs}) {
                for (const program::TensorId id : *list) {
                    EXPECT_EQ(plan.placements[id]->offset % 16, 0U);
                }
            }
        }
    }
    EXPECT_GT(placed, 100U);
    EXPECT_GT(saved, 0U);
}

}  // namespace
}  // namespace ingot
