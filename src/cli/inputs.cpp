#include "cli/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "driver/npz.h"
#include "driver/vectors.h"
#include "support/diagnostics.h"
#include "support/files.h"
#include "support/npy.h"
#include "support/suggest.h"
#include "support/utf8.h"

namespace ingot::cli {
namespace {

using program::Program;
using program::Tensor;
using support::ExitStatus;
using support::Failure;
using Bytes = std::vector<std::uint8_t>;

[[noreturn]] void wrong(const std::string& where, const std::string& message,
                        const std::string& hint = {}) {
    throw Failure(ExitStatus::usage, where, message, hint);
}

std::vector<std::string> input_names(const Program& program) {
    std::vector<std::string> names;
    for (const program::TensorId id : program.inputs) names.push_back(program.tensor(id).name);
    return names;
}

// The index of an input by name or number.
std::optional<std::size_t> find_input(const Program& program, const std::string& key) {
    const auto names = input_names(program);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == key) return i;
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (std::to_string(i) == key) return i;
    }
    return std::nullopt;
}

struct Source {
    std::optional<std::size_t> input;
    std::string file;
};

// Names may hold an equals sign, and so may paths.
Source parse_source(const Program& program, const std::string& text) {
    for (std::size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
        const auto input = find_input(program, text.substr(0, at));
        if (input) return {input, text.substr(at + 1)};
    }
    const std::size_t equals = text.find('=');
    std::error_code ignored;
    if (equals == std::string::npos || std::filesystem::exists(text, ignored)) return {{}, text};
    const std::string key = text.substr(0, equals);
    wrong("--input", "the model has no input '" + support::printable(key, 60) + "'",
          support::did_you_mean(key, input_names(program)));
}

// The shape of one invocation, one more axis in front of it, or a longer first axis.
bool shape_fits(const std::vector<std::uint64_t>& given, const std::vector<std::uint64_t>& wanted) {
    const auto tail_is = [&](std::size_t skip_wanted) {
        return std::equal(given.begin() + 1, given.end(),
                          wanted.begin() + static_cast<std::ptrdiff_t>(skip_wanted), wanted.end());
    };
    if (given == wanted) return true;
    if (given.empty()) return false;
    return tail_is(0) || (!wanted.empty() && tail_is(1));
}

// The file's elements, checked for type and shape when the file says them.
Bytes elements(const std::string& file, const Tensor* tensor) {
    Bytes bytes = support::read_file(file);
    if (!support::is_npy(bytes)) return bytes;
    const support::NpyArray array = support::parse_npy(bytes, file);
    if (tensor != nullptr) {
        const std::string type = driver::npy_type(tensor->type);
        if (array.type != type) {
            wrong(file, fmt::format("the array has the type {}, the input needs {}", array.type,
                                    ir::name(tensor->type)));
        }
        const std::vector<std::uint64_t> shape(tensor->shape.begin(), tensor->shape.end());
        if (!shape_fits(array.shape, shape)) {
            wrong(file, "the array does not have the input's shape " + ir::to_text(tensor->shape) +
                            ", alone or with a leading axis for invocations");
        }
    }
    return Bytes(array.data.begin(), array.data.end());
}

std::size_t invocations_in(const std::string& file, std::size_t bytes, std::size_t unit) {
    if (unit == 0 && bytes == 0) return 1;
    if (unit == 0 || bytes == 0 || bytes % unit != 0) {
        wrong(file, fmt::format("has {} bytes; one invocation needs {}", bytes, unit),
              "give one invocation, or several one after another");
    }
    return bytes / unit;
}

// What files give, by input.
struct Given {
    std::string file;
    Bytes bytes;
};

class Collector {
  public:
    explicit Collector(const Program& program) : program_(program), given_(program.inputs.size()) {}

    void add(const std::vector<std::string>& files) {
        if (files.size() == 1 && program_.inputs.size() > 1) {
            const Source only = parse_source(program_, files.front());
            if (!only.input) return add_joint(only.file);
        }
        for (const std::string& text : files) {
            Source source = parse_source(program_, text);
            const std::size_t input = source.input.value_or(next_free());
            if (input >= given_.size()) {
                wrong("--input", fmt::format("the model has {} inputs", given_.size()));
            }
            if (given_[input]) wrong("--input", fmt::format("input {} is given twice", input));
            const Tensor& tensor = program_.tensor(program_.inputs[input]);
            Bytes bytes = elements(source.file, &tensor);
            count(source.file, invocations_in(source.file, bytes.size(), tensor.size));
            given_[input] = Given{source.file, std::move(bytes)};
        }
    }

    // As many invocations as the files hold, or 0 without files.
    std::size_t held() const { return held_; }

    // The bytes of an input for one invocation; nothing when no file gives them.
    std::optional<Bytes> part(std::size_t input, std::size_t invocation) const {
        if (!given_[input]) return std::nullopt;
        const std::size_t size = program_.tensor(program_.inputs[input]).size;
        const auto begin =
            given_[input]->bytes.begin() + static_cast<std::ptrdiff_t>(invocation * size);
        return Bytes(begin, begin + static_cast<std::ptrdiff_t>(size));
    }

  private:
    std::size_t next_free() const {
        const auto free =
            std::find_if(given_.begin(), given_.end(), [](const auto& given) { return !given; });
        return static_cast<std::size_t>(free - given_.begin());
    }

    void count(const std::string& file, std::size_t invocations) {
        if (held_ != 0 && held_ != invocations) {
            wrong(file,
                  fmt::format("has {} invocations, the file before has {}", invocations, held_));
        }
        held_ = invocations;
    }

    // One file with all inputs, invocation by invocation.
    void add_joint(const std::string& file) {
        const Bytes bytes = elements(file, nullptr);
        std::size_t unit = 0;
        for (const program::TensorId id : program_.inputs) unit += program_.tensor(id).size;
        count(file, invocations_in(file, bytes.size(), unit));
        for (auto& given : given_) given = Given{file, {}};
        auto at = bytes.begin();
        for (std::size_t k = 0; k < held_; ++k) {
            for (std::size_t i = 0; i < given_.size(); ++i) {
                const auto size =
                    static_cast<std::ptrdiff_t>(program_.tensor(program_.inputs[i]).size);
                given_[i]->bytes.insert(given_[i]->bytes.end(), at, at + size);
                at += size;
            }
        }
    }

    const Program& program_;
    std::vector<std::optional<Given>> given_;
    std::size_t held_ = 0;
};

}  // namespace

Invocations read_inputs(const Program& program, const InputOptions& options) {
    Collector collector(program);
    collector.add(options.files);
    std::size_t count = options.invocations;
    if (count == 0) count = std::max<std::size_t>(collector.held(), 1);
    if (collector.held() != 0 && count > collector.held()) {
        wrong("--invocations",
              fmt::format("the input files hold only {} invocations", collector.held()));
    }
    support::SplitMix64 random(options.seed);
    Invocations invocations(count);
    for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < program.inputs.size(); ++i) {
            const Tensor& tensor = program.tensor(program.inputs[i]);
            auto part = collector.part(i, k);
            invocations[k].push_back(part ? std::move(*part)
                                          : driver::random_bytes(tensor, random));
        }
    }
    return invocations;
}

}  // namespace ingot::cli
