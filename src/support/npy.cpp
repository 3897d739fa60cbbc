#include "support/npy.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "support/arithmetic.h"
#include "support/diagnostics.h"
#include "support/utf8.h"

namespace ingot::support {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLongestHeader = 65536;
constexpr std::size_t kMostDimensions = 32;  // NumPy's own limit
constexpr std::size_t kHeaderAlignment = 64;

[[noreturn]] void fail(const std::string& where, const std::string& message,
                       const std::string& hint = {}) {
    throw Failure(ExitStatus::io, where, message, hint);
}

// Reads the header, the text of a Python dictionary of three known keys.
class HeaderParser {
  public:
    HeaderParser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

    void parse(NpyArray& array) {
        expect('{');
        bool has_type = false;
        bool has_order = false;
        bool has_shape = false;
        while (!accept('}')) {
            const std::string_view key = string();
            expect(':');
            if (key == "descr" && !has_type) {
                has_type = true;
                array.type = type();
            } else if (key == "fortran_order" && !has_order) {
                has_order = true;
                order();
            } else if (key == "shape" && !has_shape) {
                has_shape = true;
                array.shape = shape();
            } else {
                malformed();
            }
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        skip_spaces();
        if (!has_type || !has_order || !has_shape || at_ != text_.size()) malformed();
    }

  private:
    [[noreturn]] void malformed() const {
        fail(where_, "the header of the .npy file is malformed");
    }

    void skip_spaces() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }

    bool accept(char c) {
        skip_spaces();
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    void expect(char c) {
        if (!accept(c)) malformed();
    }

    bool accept_word(std::string_view word) {
        skip_spaces();
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    std::string_view string() {
        skip_spaces();
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        if (quote != '\'' && quote != '"') malformed();
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) malformed();
        const std::string_view result = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return result;
    }

    std::string type() {
        skip_spaces();
        if (at_ < text_.size() && text_[at_] == '[') {
            fail(where_, "the array has a structured type", "store one plain array");
        }
        const std::string_view descr = string();
        if (descr.size() < 3) malformed();
        const std::string type(descr.substr(1));
        const std::size_t size = npy_element_size(type);
        if (size == 0) {
            fail(where_, "the array has the unsupported type '" + printable(descr, 20) + "'");
        }
        if (descr[0] == '>' && size > 1) {
            fail(where_, "the array is big-endian", "store it with astype('<" + type + "')");
        }
        if (std::string_view("<>|=").find(descr[0]) == std::string_view::npos) malformed();
        return type;
    }

    void order() {
        if (accept_word("False")) return;
        if (!accept_word("True")) malformed();
        fail(where_, "the array is in Fortran order", "store it with numpy.ascontiguousarray");
    }

    std::vector<std::uint64_t> shape() {
        std::vector<std::uint64_t> result;
        expect('(');
        while (!accept(')')) {
            if (result.size() == kMostDimensions) malformed();
            result.push_back(number());
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return result;
    }

    std::uint64_t number() {
        skip_spaces();
        std::uint64_t value = 0;
        const char* const begin = text_.data() + at_;
        const auto result = std::from_chars(begin, text_.data() + text_.size(), value);
        if (result.ec != std::errc{}) malformed();
        at_ += static_cast<std::size_t>(result.ptr - begin);
        return value;
    }

    std::string_view text_;
    const std::string& where_;
    std::size_t at_ = 0;
};

std::optional<std::uint64_t> data_size(const NpyArray& array) {
    std::optional<std::uint64_t> size = npy_element_size(array.type);
    for (const std::uint64_t dimension : array.shape) {
        size = size ? checked_multiply(*size, dimension) : std::nullopt;
    }
    return size;
}

}  // namespace

std::size_t npy_element_size(const std::string& type) {
    static const std::vector<std::string> known = {"b1", "i1", "u1", "i2", "u2", "f2", "i4",
                                                   "u4", "f4", "i8", "u8", "f8", "c8"};
    const bool found = std::find(known.begin(), known.end(), type) != known.end();
    return found ? static_cast<std::size_t>(type[1] - '0') : 0;
}

bool is_npy(std::span<const std::uint8_t> bytes) {
    return bytes.size() >= kMagic.size() &&
           std::equal(kMagic.begin(), kMagic.end(), bytes.begin(),
                      [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
}

NpyArray parse_npy(std::span<const std::uint8_t> bytes, const std::string& where) {
    if (!is_npy(bytes)) fail(where, "is not a .npy file");
    constexpr std::size_t kVersionAt = kMagic.size();
    const std::size_t length_bytes = bytes.size() > kVersionAt && bytes[kVersionAt] == 1 ? 2 : 4;
    const std::size_t header_at = kVersionAt + 2 + length_bytes;
    if (bytes.size() < header_at) fail(where, "the .npy file is truncated");
    if (bytes[kVersionAt] < 1 || bytes[kVersionAt] > 3) {
        fail(where, "the .npy file has an unknown version of the format");
    }
    std::size_t length = 0;
    for (std::size_t i = length_bytes; i-- > 0;) length = length * 256 + bytes[kVersionAt + 2 + i];
    if (length > kLongestHeader || bytes.size() - header_at < length) {
        fail(where, "the .npy file is truncated");
    }
    std::string header(length, '\0');
    std::transform(bytes.begin() + static_cast<std::ptrdiff_t>(header_at),
                   bytes.begin() + static_cast<std::ptrdiff_t>(header_at + length), header.begin(),
                   [](std::uint8_t byte) { return static_cast<char>(byte); });
    NpyArray array;
    HeaderParser(header, where).parse(array);
    array.data = bytes.subspan(header_at + length);
    const auto size = data_size(array);
    if (!size || *size != array.data.size()) {
        fail(where, "the .npy file does not have as much data as its shape says");
    }
    return array;
}

std::string write_npy(const NpyArray& array) {
    std::string shape;
    for (const std::uint64_t dimension : array.shape) shape += std::to_string(dimension) + ", ";
    // As NumPy prints a tuple: (3, 4), (3,), ().
    if (array.shape.size() > 1) shape.resize(shape.size() - 2);
    if (array.shape.size() == 1) shape.pop_back();
    const char order = npy_element_size(array.type) == 1 ? '|' : '<';
    std::string header = "{'descr': '" + std::string(1, order) + array.type +
                         "', 'fortran_order': False, 'shape': (" + shape + "), }";
    const std::size_t before = kMagic.size() + 4;
    const std::size_t total = align_up(before + header.size() + 1, kHeaderAlignment);
    header.resize(total - before - 1, ' ');
    header += '\n';
    std::string result(kMagic);
    result += {'\x01', '\x00', static_cast<char>(header.size() & 0xFF),
               static_cast<char>(header.size() >> 8)};
    result += header;
    result.append(array.data.begin(), array.data.end());
    return result;
}

}  // namespace ingot::support
