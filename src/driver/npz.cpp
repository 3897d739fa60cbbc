#include "driver/npz.h"

#include <zip.h>

#include <algorithm>
#include <map>
#include <memory>

#include "support/diagnostics.h"
#include "support/npy.h"
#include "support/suggest.h"
#include "support/utf8.h"

namespace ingot::driver {
namespace {

using support::ExitStatus;
using support::Failure;

constexpr std::uint64_t kLargestArchive = std::uint64_t{1} << 28;  // unpacked, bytes
constexpr zip_int64_t kMostEntries = 4096;

struct ZipDiscard {
    void operator()(zip_t* zip) const { zip_discard(zip); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Zip = std::unique_ptr<zip_t, ZipDiscard>;
using ZipFile = std::unique_ptr<zip_file_t, ZipDiscard>;

[[noreturn]] void not_npz(const std::string& where, const std::string& why) {
    throw Failure(ExitStatus::io, where, "is not an .npz archive: " + why);
}

Zip open_archive(std::span<const std::uint8_t> bytes, const std::string& where) {
    if (bytes.empty()) not_npz(where, "it is empty");  // to libzip, an archive of nothing
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    zip_t* zip = source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error);
    if (zip == nullptr) {
        const std::string why = zip_error_strerror(&error);
        if (source != nullptr) zip_source_free(source);
        zip_error_fini(&error);
        not_npz(where, why);
    }
    zip_error_fini(&error);
    return Zip(zip);
}

// The bytes of an entry; never more than `room`, whatever the archive claims.
std::vector<std::uint8_t> read_entry(zip_t* zip, zip_uint64_t index, std::uint64_t room,
                                     const std::string& where) {
    const ZipFile file(zip_fopen_index(zip, index, 0));
    if (!file) not_npz(where, zip_strerror(zip));
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint8_t> block(65536);
    for (;;) {
        const zip_int64_t count = zip_fread(file.get(), block.data(), block.size());
        if (count < 0) not_npz(where, "an entry is damaged");
        if (count == 0) return bytes;
        if (bytes.size() + static_cast<std::uint64_t>(count) > room) {
            not_npz(where, "it unpacks to more than 256 MiB");
        }
        bytes.insert(bytes.end(), block.begin(), block.begin() + count);
    }
}

// Arrays by name without `.npy`.
using Arrays = std::map<std::string, std::vector<std::uint8_t>>;

Arrays read_arrays(std::span<const std::uint8_t> bytes, const std::string& where) {
    const Zip zip = open_archive(bytes, where);
    const zip_int64_t count = zip_get_num_entries(zip.get(), 0);
    if (count > kMostEntries) not_npz(where, "it has too many entries");
    Arrays arrays;
    std::uint64_t room = kLargestArchive;
    for (zip_int64_t i = 0; i < count; ++i) {
        const auto index = static_cast<zip_uint64_t>(i);
        const char* raw = zip_get_name(zip.get(), index, 0);
        std::string name = raw == nullptr ? "" : raw;
        const std::string suffix = ".npy";
        if (name.size() > suffix.size() && name.compare(name.size() - 4, 4, suffix) == 0) {
            name.resize(name.size() - suffix.size());
        }
        const auto& entry = arrays[name] = read_entry(zip.get(), index, room, where);
        room -= entry.size();
    }
    return arrays;
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
    std::string text;
    for (const std::uint64_t dimension : shape) {
        text += (text.empty() ? "" : "x") + std::to_string(dimension);
    }
    return text.empty() ? "scalar" : text;
}

// Splits one array into invocations.
class Splitter {
  public:
    Splitter(const Arrays& arrays, const std::string& where) : arrays_(arrays), where_(where) {}

    std::vector<std::vector<std::uint8_t>> split(const std::string& name,
                                                 const program::Tensor& tensor) const {
        const auto found = arrays_.find(name);
        if (found == arrays_.end()) fail("the archive has no array '" + name + "'");
        const auto array = support::parse_npy(found->second, where_ + ": " + name);
        if (array.type != npy_type(tensor.type)) {
            fail(name + " has the type " + array.type + "; the model needs " +
                 std::string(ir::name(tensor.type)));
        }
        const std::vector<std::uint64_t> shape(tensor.shape.begin(), tensor.shape.end());
        std::vector<std::vector<std::uint8_t>> parts;
        if (array.shape == shape) {
            parts.emplace_back(array.data.begin(), array.data.end());
            return parts;
        }
        if (array.shape.empty() ||
            !std::equal(array.shape.begin() + 1, array.shape.end(), shape.begin(), shape.end())) {
            fail(name + " has the shape " + shape_text(array.shape) + "; the model needs " +
                 shape_text(shape) + " or one more leading axis for invocations");
        }
        if (array.shape[0] == 0 || array.data.empty()) fail(name + " has no invocations");
        const std::size_t size = array.data.size() / array.shape[0];
        for (std::size_t at = 0; at < array.data.size(); at += size) {
            const auto part = array.data.subspan(at, size);
            parts.emplace_back(part.begin(), part.end());
        }
        return parts;
    }

    [[noreturn]] void fail(const std::string& message, const std::string& hint = {}) const {
        throw Failure(ExitStatus::usage, where_, message, hint);
    }

  private:
    const Arrays& arrays_;
    const std::string& where_;
};

// Reads `input_0`, … or `output_0`, … into the invocations.
void fill(const Splitter& splitter, const program::Program& program, const std::string& stem,
          const std::vector<program::TensorId>& tensors,
          std::vector<std::vector<std::uint8_t>> module::TestInvocation::*side,
          std::vector<module::TestInvocation>& invocations) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const std::string name = stem + std::to_string(i);
        auto parts = splitter.split(name, program.tensor(tensors[i]));
        if (invocations.empty()) invocations.resize(parts.size());
        if (parts.size() != invocations.size()) {
            splitter.fail(name + " has " + std::to_string(parts.size()) +
                          " invocations; the arrays before have " +
                          std::to_string(invocations.size()));
        }
        for (std::size_t k = 0; k < parts.size(); ++k) {
            (invocations[k].*side).push_back(std::move(parts[k]));
        }
    }
}

void check_names(const Arrays& arrays, const program::Program& program, const Splitter& splitter) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        known.push_back("input_" + std::to_string(i));
    }
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
        known.push_back("output_" + std::to_string(i));
    }
    for (const auto& entry : arrays) {
        const std::string& name = entry.first;
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            splitter.fail(
                "the model has nothing for the array '" + support::printable(name, 60) + "'",
                support::did_you_mean(name, known));
        }
    }
}

}  // namespace

std::string npy_type(ir::DataType type) {
    switch (type) {
        case ir::DataType::boolean:
            return "b1";
        case ir::DataType::int8:
            return "i1";
        case ir::DataType::uint8:
            return "u1";
        case ir::DataType::int16:
            return "i2";
        case ir::DataType::uint16:
            return "u2";
        case ir::DataType::float16:
            return "f2";
        case ir::DataType::int32:
            return "i4";
        case ir::DataType::uint32:
            return "u4";
        case ir::DataType::float32:
            return "f4";
        case ir::DataType::int64:
            return "i8";
        case ir::DataType::uint64:
            return "u8";
        case ir::DataType::float64:
            return "f8";
        case ir::DataType::complex64:
            return "c8";
        default:
            return {};
    }
}

std::vector<module::TestInvocation> load_golden(std::span<const std::uint8_t> bytes,
                                                const program::Program& program,
                                                const std::string& where) {
    const Arrays arrays = read_arrays(bytes, where);
    const Splitter splitter(arrays, where);
    check_names(arrays, program, splitter);
    std::vector<module::TestInvocation> invocations;
    fill(splitter, program, "input_", program.inputs, &module::TestInvocation::inputs, invocations);
    fill(splitter, program, "output_", program.outputs, &module::TestInvocation::outputs,
         invocations);
    return invocations;
}

}  // namespace ingot::driver
