// The broken files of tests/data/malformed as far as the importer is concerned: it refuses those
// whose fault needs no knowledge of operators, and imports the rest.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "support/files.h"
#include "tflite/import.h"

namespace ingot::tflite {
namespace {

const std::string kFolder = INGOT_PROJECT_DIR "/tests/data/malformed/";

/// Faults of single operators: their own constraints refuse them, not the importer.
const std::set<std::string> kLeftToOperators = {"activation_per_channel",
                                                "activation_sign_bit",
                                                "batch_to_space_crop",
                                                "bias_length",
                                                "concat_axis_range",
                                                "cumsum_axis",
                                                "custom_hostile_name",
                                                "depth_to_space_channels",
                                                "depthwise_multiplier",
                                                "dilation_zero",
                                                "fc_output",
                                                "filter_channels",
                                                "gather_axis_range",
                                                "if_branch_shapes",
                                                "op_weights_missing",
                                                "options_missing",
                                                "output_channels_wrong",
                                                "output_float",
                                                "output_shape_wrong",
                                                "pad_overflow",
                                                "padding_unknown",
                                                "pool_scale_differs",
                                                "pool_window_huge",
                                                "pool_window_zero",
                                                "reshape_two_minus_1",
                                                "resize_both_flags",
                                                "slice_begin_negative",
                                                "slice_stride_zero",
                                                "space_to_depth_odd",
                                                "squeeze_not_one",
                                                "stride_negative",
                                                "svdf_rank_zero",
                                                "svdf_state_small",
                                                "transpose_perm_range",
                                                "type_complex",
                                                "unknown_custom",
                                                "variable_type",
                                                "weights_unquantised",
                                                "while_condition_not_bool"};

bool imports(const std::string& file) {
    support::Diagnostics diagnostics;
    try {
        const ir::Model model = import(support::read_file(kFolder + file), diagnostics);
        for (const ir::Graph& graph : model.subgraphs) ir::verify(graph, "import");
        return true;
    } catch (const support::Failure& failure) {
        EXPECT_EQ(failure.status(), support::ExitStatus::model) << file << failure.what();
        EXPECT_FALSE(failure.diagnostics().front().message.empty());
        return false;
    }
}

TEST(Malformed, IsTreatedAsTheIndexSays) {
    std::ifstream stream(kFolder + "index.json");
    const auto index = nlohmann::json::parse(stream);
    std::size_t left = 0;
    ASSERT_GE(index["cases"].size(), 90U);
    for (const auto& entry : index["cases"]) {
        const auto name = entry["name"].get<std::string>();
        const auto expect = entry["expect"].get<std::string>();
        const bool imported = imports(entry["file"].get<std::string>());
        if (kLeftToOperators.contains(name)) {
            EXPECT_TRUE(imported) << name;
            ++left;
        } else if (expect == "error") {
            EXPECT_FALSE(imported) << name;
        } else if (expect.starts_with("handle")) {
            EXPECT_TRUE(imported) << name;
        }
    }
    EXPECT_EQ(left, kLeftToOperators.size());
}

}  // namespace
}  // namespace ingot::tflite
