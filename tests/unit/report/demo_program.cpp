#include "unit/report/demo_program.h"

#include <fstream>
#include <iterator>
#include <map>

#include "support/diagnostics.h"
#include "unit/memory/programs.h"

namespace ingot::testing {
namespace {

std::map<std::string, std::size_t> published_sizes() {
    std::map<std::string, std::size_t> sizes;
    const auto report = nlohmann::json::parse(demo_report_text());
    for (const auto& tensor : report["tensors"]) {
        sizes[tensor["id"]] = tensor["size"];
    }
    return sizes;
}

class Demo : public Builder {
  public:
    program::Program build() {
        const TensorId in = activation(0);
        const TensorId conv0 = activation(3);
        step("CONV_2D", {in}, {conv0}, {model_constant(1)});
        work("scratch");
        made_constants({"weight_sum", "multiplier", "shift"});
        const TensorId pool1 = activation(4);
        step("MAX_POOL_2D", {conv0}, {pool1});
        const TensorId conv2 = activation(7);
        step("CONV_2D", {pool1}, {conv2}, {model_constant(5)});
        work("scratch");
        made_constants({"weight_sum", "multiplier", "shift"});
        const TensorId pool3 = activation(8);
        step("AVERAGE_POOL_2D", {conv2}, {pool3});
        const TensorId flat = view(pool3, 10);
        step("RESHAPE", {pool3}, {flat}, {model_constant(9)});
        add_svdf(flat);
        return std::move(program);
    }

  private:
    TensorId activation(int id) { return Builder::activation(size(std::to_string(id)), id); }
    TensorId model_constant(int id) { return weights(size(std::to_string(id)), id + 1, id); }
    std::size_t size(const std::string& id) const { return sizes_.at(id); }
    std::size_t size_of_added(const std::string& suffix) const {
        return size(program.steps.back().name + "_" + suffix);
    }
    void work(const std::string& suffix) { scratch(suffix, size_of_added(suffix)); }
    void made_constants(const std::vector<std::string>& suffixes) {
        for (const std::string& suffix : suffixes) {
            const int seed = 1000 + static_cast<int>(program.tensors.size());
            made(suffix, bytes_of(size_of_added(suffix), seed));
        }
    }

    void add_svdf(TensorId flat) {
        const TensorId svdf = activation(15);
        const TensorId past = state(size("14"), 14);
        const TensorId bias = model_constant(13);
        step("SVDF", {flat, past}, {svdf, past}, {model_constant(11), model_constant(12), bias});
        work("scratch_a");
        work("scratch_b");
        made("weight_sum", std::vector<std::uint8_t>(program.tensors[bias].data));
        const TensorId dense = activation(18);
        step("FULLY_CONNECTED", {svdf}, {dense});
        made_constants({"packed"});
        const TensorId out = activation(19);
        step("SOFTMAX", {dense}, {out});
        program.inputs = {0};
        program.outputs = {out};
    }

    std::map<std::string, std::size_t> sizes_ = published_sizes();
};

}  // namespace

std::string demo_report_text() {
    std::ifstream file(std::string(INGOT_PROJECT_DIR) + "/tests/data/demo-residency.json");
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

program::Program demo_program() {
    return Demo().build();
}

platforms::Platform demo_platform() {
    config::PlatformConfig config;
    config.name = "apollo510_evb";
    return platforms::resolve(config);
}

memory::MemoryPlan demo_plan(const program::Program& program, const memory::PlanOptions& options) {
    support::Diagnostics diagnostics;
    memory::MemoryPlan plan = memory::plan(program, demo_platform(), options, diagnostics);
    memory::verify(program, plan);
    return plan;
}

}  // namespace ingot::testing
