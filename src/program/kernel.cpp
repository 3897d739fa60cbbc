#include "program/kernel.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>

#include "support/arithmetic.h"
#include "support/embedded.h"

namespace ingot::program {

namespace {

/// A fault in a kernel's header or in a lowering, not in the user's model.
[[noreturn]] void fault(std::string_view kernel, const std::string& what) {
    throw std::logic_error("kernel " + std::string(kernel) + ": " + what);
}

std::string without_comments(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = text.find("/*", at);
        result.append(text.substr(at, begin - at));
        if (begin == std::string_view::npos) break;
        const std::size_t end = text.find("*/", begin + 2);
        if (end == std::string_view::npos) break;
        result += ' ';
        at = end + 2;
    }
    return result;
}

/// Words and single punctuation characters.
std::vector<std::string> tokens(std::string_view text) {
    const auto in_word = [](char c) {
        return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
    };
    std::vector<std::string> result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && in_word(text[end])) ++end;
        if (end > at) {
            result.emplace_back(text.substr(at, end - at));
        } else {
            if (std::isspace(static_cast<unsigned char>(text[at])) == 0) {
                result.emplace_back(1, text[at]);
            }
            ++end;
        }
        at = end;
    }
    return result;
}

/// Bytes of a field's element, which is also its alignment; 0 for an unknown type.
std::size_t element_size(std::string_view type) {
    if (type == "int32_t" || type == "float") return 4;
    return type == "double" ? 8 : 0;
}

/// Where each field begins, and last the size of the whole: natural alignment.
std::vector<std::size_t> field_offsets(const std::vector<KernelField>& fields) {
    std::vector<std::size_t> offsets;
    std::size_t at = 0;
    std::size_t alignment = 1;
    for (const KernelField& field : fields) {
        const std::size_t size = element_size(field.type);
        at = support::align_up(at, size);
        offsets.push_back(at);
        at += size * std::max<std::size_t>(field.extent, 1);
        alignment = std::max(alignment, size);
    }
    offsets.push_back(support::align_up(at, alignment));
    return offsets;
}

/// Reads `typedef struct { … } ingot_NAME_desc_t;` and the prototype from a header's tokens.
class HeaderParser {
  public:
    HeaderParser(std::string_view name, std::string_view text)
        : name_(name), tokens_(tokens(without_comments(text))) {}

    std::vector<KernelField> fields() {
        const std::vector<std::string> opening = {"typedef", "struct", "{"};
        const auto begin =
            std::search(tokens_.begin(), tokens_.end(), opening.begin(), opening.end());
        if (begin == tokens_.end()) fault(name_, "no descriptor");
        at_ = static_cast<std::size_t>(begin - tokens_.begin()) + opening.size();
        std::vector<KernelField> fields;
        while (!accept("}")) fields.push_back(field());
        if (fields.empty()) fault(name_, "empty descriptor");
        if (!accept(descriptor()) || !accept(";")) fault(name_, "the descriptor's name");
        return fields;
    }

    std::vector<KernelArgument> arguments() {
        const auto function = std::find(tokens_.begin(), tokens_.end(), "ingot_kernel_" + name_);
        at_ = static_cast<std::size_t>(function - tokens_.begin());
        if (function == tokens_.begin() || *(function - 1) != "int32_t") {
            fault(name_, "no prototype that returns int32_t");
        }
        ++at_;
        for (const std::string& token : {std::string("("), std::string("const"), descriptor(),
                                         std::string("*"), std::string("d")}) {
            if (!accept(token)) fault(name_, "first argument is not the descriptor d");
        }
        std::vector<KernelArgument> arguments;
        while (accept(",")) arguments.push_back(argument());
        if (!accept(")")) fault(name_, "the prototype does not end");
        return arguments;
    }

  private:
    std::string descriptor() const { return "ingot_" + name_ + "_desc_t"; }

    std::string next() {
        if (at_ >= tokens_.size()) fault(name_, "the header ends too early");
        return tokens_[at_++];
    }

    bool accept(std::string_view token) {
        if (at_ >= tokens_.size() || tokens_[at_] != token) return false;
        ++at_;
        return true;
    }

    KernelField field() {
        KernelField field{next(), next(), 0};
        if (element_size(field.type) == 0) fault(name_, "field type " + field.type);
        if (accept("[")) {
            const std::string digits = next();
            const auto [end, error] =
                std::from_chars(digits.data(), digits.data() + digits.size(), field.extent);
            if (error != std::errc() || end != digits.data() + digits.size() || field.extent == 0 ||
                !accept("]")) {
                fault(name_, "extent of field " + field.name);
            }
        }
        if (!accept(";")) fault(name_, "field " + field.name);
        return field;
    }

    KernelArgument argument() {
        KernelArgument argument;
        if (accept("const")) argument.type = "const ";
        argument.type += next() + " *";
        if (!accept("*")) fault(name_, "an argument is no pointer");
        accept("INGOT_RESTRICT");
        argument.name = next();
        return argument;
    }

    std::string name_;
    std::vector<std::string> tokens_;
    std::size_t at_ = 0;
};

void check_value(const Kernel& kernel, const KernelField& field, const FieldValue& value) {
    const auto fits = [](std::int64_t number) {
        return number >= std::numeric_limits<std::int32_t>::min() &&
               number <= std::numeric_limits<std::int32_t>::max();
    };
    bool good = false;
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        good = field.extent == 0 && field.type == "int32_t" && fits(*number);
    } else if (const auto* real = std::get_if<double>(&value)) {
        good = field.extent == 0 &&
               (field.type == "double" ||
                (field.type == "float" && static_cast<double>(static_cast<float>(*real)) == *real));
    } else {
        const auto& list = std::get<std::vector<std::int64_t>>(value);
        good = field.type == "int32_t" && field.extent > 0 && list.size() <= field.extent &&
               std::all_of(list.begin(), list.end(), fits);
    }
    if (!good) fault(kernel.name, "value of field " + field.name);
}

/// Writes the bytes of `value` at `at`. The host's byte order is that of the target: little.
template <typename T>
void store(std::vector<std::uint8_t>& bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

}  // namespace

Kernel parse_kernel(std::string_view name, std::string_view header) {
    HeaderParser parser(name, header);
    Kernel kernel{std::string(name), parser.fields(), parser.arguments(), 0, nullptr};
    kernel.descriptor_size = field_offsets(kernel.fields).back();
    return kernel;
}

const Kernel& kernel(const KernelEntry& entry) {
    static std::mutex mutex;
    static std::map<std::string, Kernel, std::less<>> kernels;
    const std::lock_guard lock(mutex);
    const auto found = kernels.find(std::string_view(entry.name));
    if (found != kernels.end()) return found->second;
    const std::string path = "kernels/" + std::string(entry.name) + ".h";
    Kernel parsed = parse_kernel(entry.name, support::embedded_file(path));
    if (parsed.descriptor_size != entry.descriptor_size) {
        fault(entry.name, "the descriptor's size is not that of its fields");
    }
    parsed.invoke = entry.invoke;
    return kernels.emplace(entry.name, std::move(parsed)).first->second;
}

std::vector<FieldValue> order_fields(const Kernel& kernel, const FieldValues& values) {
    std::vector<FieldValue> ordered;
    for (const KernelField& field : kernel.fields) {
        const auto named = [&](const auto& value) { return value.first == field.name; };
        const auto found = std::find_if(values.begin(), values.end(), named);
        if (found == values.end()) fault(kernel.name, "field " + field.name + " has no value");
        check_value(kernel, field, found->second);
        ordered.push_back(found->second);
        if (auto* list = std::get_if<std::vector<std::int64_t>>(&ordered.back())) {
            list->resize(field.extent);
        }
    }
    for (const auto& [name, value] : values) {
        const auto same = [&name = name](const auto& other) { return other.first == name; };
        if (std::count_if(values.begin(), values.end(), same) > 1) {
            fault(kernel.name, "field " + name + " is given twice");
        }
        const auto called = [&name = name](const KernelField& field) { return field.name == name; };
        if (std::none_of(kernel.fields.begin(), kernel.fields.end(), called)) {
            fault(kernel.name, "there is no field " + name);
        }
    }
    return ordered;
}

std::vector<std::uint8_t> pack_descriptor(const Kernel& kernel,
                                          const std::vector<FieldValue>& ordered) {
    const std::vector<std::size_t> offsets = field_offsets(kernel.fields);
    if (ordered.size() != kernel.fields.size()) fault(kernel.name, "number of values");
    std::vector<std::uint8_t> bytes(offsets.back());
    for (std::size_t i = 0; i < ordered.size(); ++i) {
        check_value(kernel, kernel.fields[i], ordered[i]);
        if (const auto* number = std::get_if<std::int64_t>(&ordered[i])) {
            store(bytes, offsets[i], static_cast<std::int32_t>(*number));
        } else if (const auto* real = std::get_if<double>(&ordered[i])) {
            if (kernel.fields[i].type == "float") {
                store(bytes, offsets[i], static_cast<float>(*real));
            } else {
                store(bytes, offsets[i], *real);
            }
        } else {
            const auto& list = std::get<std::vector<std::int64_t>>(ordered[i]);
            for (std::size_t j = 0; j < list.size(); ++j) {
                store(bytes, offsets[i] + 4 * j, static_cast<std::int32_t>(list[j]));
            }
        }
    }
    return bytes;
}

}  // namespace ingot::program
