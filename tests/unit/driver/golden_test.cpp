// Runs our models on the host with the kernels of generated modules and compares every output,
// and every layer where there is a golden one, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "ops/operator.h"
#include "program/execute.h"
#include "support/files.h"
#include "tflite/import.h"

namespace ingot {
namespace {

namespace fs = std::filesystem;

const fs::path kModels = fs::path(INGOT_PROJECT_DIR) / "tests" / "models";

/// A model lowered without passes, so that every tensor of the file is there.
struct Lowered {
    explicit Lowered(const fs::path& file) {
        support::Diagnostics diagnostics;
        graph = tflite::import(support::read_file(file), diagnostics).subgraphs.at(0);
        program = ops::lower(graph, {});
    }

    program::TensorId tensor(ir::TensorIndex index) const {
        const auto found = std::find_if(
            program.tensors.begin(), program.tensors.end(),
            [&](const program::Tensor& tensor) { return tensor.model_index == index; });
        return static_cast<program::TensorId>(found - program.tensors.begin());
    }

    ir::Graph graph;
    program::Program program;
};

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(program::Instance& instance, program::TensorId id) {
    const auto bytes = instance.bytes(id);
    return {bytes.begin(), bytes.end()};
}

/// Takes the next bytes of `file` for tensor `id`.
Bytes take(const Bytes& file, std::size_t& at, std::size_t size) {
    EXPECT_LE(at + size, file.size());
    const auto begin = file.begin() + static_cast<std::ptrdiff_t>(at);
    at += size;
    return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

/// Compares every output of every operator with its file; returns how many files there were.
std::size_t compare_layers(const Lowered& model, program::Instance& instance,
                           const fs::path& folder, std::size_t invocation) {
    std::size_t compared = 0;
    for (const ir::Operator& op : model.graph.operators) {
        for (std::size_t o = 0; o < op.outputs.size(); ++o) {
            char name[64];
            std::snprintf(name, sizeof name, "inv%zu_op%02d_out%zu.bin", invocation, op.index, o);
            if (!fs::exists(folder / name)) continue;
            EXPECT_EQ(bytes_of(instance, model.tensor(op.outputs[o])),
                      support::read_file(folder / name))
                << folder << name;
            ++compared;
        }
    }
    return compared;
}

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, EveryOutputAndLayerIsExact) {
    const Lowered model(kModels / (GetParam() + ".tflite"));
    const fs::path golden = kModels / "golden" / GetParam();
    const auto index = nlohmann::json::parse(std::ifstream(golden / "index.json"));
    std::size_t layers = 0;
    for (const auto& vector : index.at("vectors")) {
        const std::string in = vector.at("in");
        const Bytes inputs = support::read_file(golden / in);
        const Bytes outputs = support::read_file(golden / std::string(vector.at("out")));
        const fs::path folder = golden / ("layers_" + in.substr(3, in.size() - 7));
        program::Instance instance(model.program, program::separate_layout(model.program));
        std::size_t in_at = 0;
        std::size_t out_at = 0;
        for (std::size_t n = 0; in_at < inputs.size(); ++n) {
            for (const program::TensorId id : model.program.inputs) {
                const Bytes input = take(inputs, in_at, model.program.tensor(id).size);
                std::copy(input.begin(), input.end(), instance.bytes(id).begin());
            }
            ASSERT_EQ(instance.run(), 0);
            for (const program::TensorId id : model.program.outputs) {
                EXPECT_EQ(bytes_of(instance, id),
                          take(outputs, out_at, model.program.tensor(id).size))
                    << in << " invocation " << n;
            }
            layers += compare_layers(model, instance, folder, n);
        }
        EXPECT_EQ(out_at, outputs.size()) << in;
    }
    EXPECT_GE(layers, model.graph.operators.size());
}

INSTANTIATE_TEST_SUITE_P(Models, Golden,
                         ::testing::Values("autoencoder_int8", "demo", "ds_cnn_int8",
                                           "mobilenet_v1_025_int8", "resnet8_int8"),
                         [](const auto& test) { return test.param; });

/// Constants in the order of the steps, each at the next multiple of 16, equal bytes once.
struct ConstantBytes {
    std::size_t count = 0;
    std::size_t bytes = 0;
};

ConstantBytes constants_of(const program::Program& program) {
    ConstantBytes result;
    std::vector<program::TensorId> seen;
    std::vector<Bytes> contents;
    for (const program::Step& step : program.steps) {
        for (const program::Access& access : step.constants) {
            if (std::count(seen.begin(), seen.end(), access.tensor) > 0) continue;
            seen.push_back(access.tensor);
            ++result.count;
            const Bytes& data = program.tensor(access.tensor).data;
            if (std::count(contents.begin(), contents.end(), data) > 0) continue;
            contents.push_back(data);
            result.bytes = (result.bytes + 15) / 16 * 16 + data.size();
        }
    }
    result.bytes = (result.bytes + 15) / 16 * 16;
    return result;
}

TEST(PlainLayout, HasThePublishedConstants) {
    const ConstantBytes demo = constants_of(Lowered(kModels / "demo.tflite").program);
    EXPECT_EQ(demo.count, 14U);
    EXPECT_EQ(demo.bytes, 44176U);
    const ConstantBytes ds_cnn = constants_of(Lowered(kModels / "ds_cnn_int8.tflite").program);
    EXPECT_EQ(ds_cnn.count, 39U);
    EXPECT_EQ(ds_cnn.bytes, 28992U);
}

}  // namespace
}  // namespace ingot
