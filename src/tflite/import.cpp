#include "tflite/import.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "support/hash.h"
#include "tflite/budget.h"
#include "tflite/schema_generated.h"
#include "tflite/subgraph.h"
#include "tflite/tensor.h"

namespace ingot::tflite {
namespace {

using support::ExitStatus;
using support::Failure;

constexpr std::uint32_t kFormatVersion = 3;

/// The file's root table, after everything that can be checked without knowing what it means:
/// all tables, vectors and strings lie within the file and are aligned.
const format::Model& open(std::span<const std::uint8_t> file) {
    // The root's offset and the identifier; FlatBuffers itself ends below 2 GiB.
    if (file.size() < 8)
        throw Failure(ExitStatus::model, "",
                      file.empty() ? "the model file is empty"
                                   : "the file is too short for a TensorFlow Lite model");
    if (file.size() >= FLATBUFFERS_MAX_BUFFER_SIZE)
        throw Failure(ExitStatus::model, "", "the model file is 2 GiB or larger");
    if (!format::ModelBufferHasIdentifier(file.data()))
        throw Failure(ExitStatus::model, "",
                      "the file is not a TensorFlow Lite model: it lacks the identifier TFL3");
    flatbuffers::Verifier::Options limits;
    limits.max_depth = 64;
    limits.max_tables = 1000000;
    flatbuffers::Verifier verifier(file.data(), file.size(), limits);
    if (!format::VerifyModelBuffer(verifier))
        throw Failure(ExitStatus::model, "",
                      "the file is damaged: its FlatBuffer structure is not valid",
                      "copy or convert the model again");
    const format::Model& model = *format::GetModel(file.data());
    if (model.version() != kFormatVersion)
        throw Failure(ExitStatus::model, "",
                      fmt::format("the model has format version {}; only version {} is supported",
                                  model.version(), kFormatVersion));
    if (model.subgraphs() == nullptr || model.subgraphs()->size() == 0)
        throw Failure(ExitStatus::model, "", "the model has no subgraph");
    return model;
}

/// One side of a signature; false when it names a tensor that is not there.
bool read_signature_tensors(const flatbuffers::Vector<flatbuffers::Offset<format::TensorMap>>* file,
                            const ir::Graph& graph, Budget& budget,
                            std::vector<ir::SignatureTensor>& tensors) {
    if (file == nullptr) return true;
    budget.charge(sizeof(ir::SignatureTensor) * std::uint64_t{file->size()});
    for (const format::TensorMap* entry : *file) {
        if (entry->tensor_index() >= graph.tensors.size()) return false;
        tensors.push_back({read_string(entry->name(), budget),
                           static_cast<ir::TensorIndex>(entry->tensor_index())});
    }
    return true;
}

void read_signatures(const format::Model& file, Budget& budget, support::Diagnostics& diagnostics,
                     ir::Model& model) {
    if (file.signature_defs() == nullptr) return;
    for (const format::SignatureDef* entry : *file.signature_defs()) {
        budget.charge(sizeof(ir::Signature));
        ir::Signature signature;
        signature.key = read_string(entry->signature_key(), budget);
        const std::string where = "signature \"" + ir::printable(signature.key) + "\"";
        if (entry->subgraph_index() >= model.subgraphs.size()) {
            diagnostics.warning(where,
                                fmt::format("ignored: it names subgraph {}, but the model "
                                            "has {}",
                                            entry->subgraph_index(), model.subgraphs.size()));
            continue;
        }
        signature.subgraph = static_cast<std::int32_t>(entry->subgraph_index());
        const ir::Graph& graph = model.subgraphs[entry->subgraph_index()];
        if (!read_signature_tensors(entry->inputs(), graph, budget, signature.inputs) ||
            !read_signature_tensors(entry->outputs(), graph, budget, signature.outputs)) {
            diagnostics.warning(where, "ignored: it names a tensor that does not exist");
            continue;
        }
        model.signatures.push_back(std::move(signature));
    }
}

void read_metadata(const format::Model& file, Budget& budget, support::Diagnostics& diagnostics,
                   ir::Model& model) {
    if (file.metadata() == nullptr) return;
    for (const format::Metadata* entry : *file.metadata()) {
        budget.charge(sizeof(ir::Metadata));
        ir::Metadata metadata;
        metadata.name = read_string(entry->name(), budget);
        const std::string where = "metadata \"" + ir::printable(metadata.name) + "\"";
        const flatbuffers::Vector<std::uint8_t>* data = nullptr;
        try {
            data = read_buffer(file, entry->buffer(), where);
        } catch (const Failure& failure) {
            // Nothing that is computed depends on metadata.
            diagnostics.warning(where, "ignored: " + failure.diagnostics().front().message);
            continue;
        }
        if (data != nullptr) {
            budget.charge(data->size());
            metadata.data.assign(data->data(), data->data() + data->size());
        }
        model.metadata.push_back(std::move(metadata));
    }
}

}  // namespace

ir::Model import(std::span<const std::uint8_t> file, support::Diagnostics& diagnostics) {
    const format::Model& root = open(file);
    Budget budget(file.size());
    ir::Model model;
    model.file_size = file.size();
    model.sha256 = support::sha256_hex(file);
    model.description = read_string(root.description(), budget);
    for (std::size_t i = 0; i < root.subgraphs()->size(); ++i) {
        budget.charge(sizeof(ir::Graph));
        model.subgraphs.push_back(read_subgraph(root, i, budget));
    }
    check_calls(model.subgraphs);
    read_signatures(root, budget, diagnostics, model);
    read_metadata(root, budget, diagnostics, model);
    return model;
}

}  // namespace ingot::tflite
