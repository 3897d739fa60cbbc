// Kernels as the compiler sees them: C functions in kernels/, linked into the compiler for
// host execution and copied into generated modules.
//
// A kernel NAME is the pair kernels/NAME.h and kernels/NAME.c. The header declares
//   typedef struct { int32_t field; … } ingot_NAME_desc_t;
//   int32_t ingot_kernel_NAME(const ingot_NAME_desc_t *d, T *argument, …);
// Fields are int32_t, float or double, or arrays of them; arguments are pointers to elements.
// The names and types are read from that text, so they stand in one place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ingot::program {

/// A field of a descriptor.
struct KernelField {
    std::string type;  ///< `int32_t`, `float` or `double`
    std::string name;
    std::size_t extent = 0;  ///< number of elements; 0 for a plain field
};

/// A pointer argument of a kernel.
struct KernelArgument {
    std::string type;  ///< with the star: `const int8_t *`
    std::string name;
};

/// Calls the C function with a descriptor in the C layout and the arguments in order; an
/// absent optional argument is null. The result is the kernel's status, 0 when it worked.
using KernelInvoke = std::int32_t (*)(const void* descriptor, std::span<void* const> arguments);

struct Kernel {
    std::string name;                       ///< `conv_2d_s8`
    std::vector<KernelField> fields;        ///< in the order of the C struct
    std::vector<KernelArgument> arguments;  ///< without the descriptor
    std::size_t descriptor_size = 0;        ///< sizeof the C struct, bytes
    KernelInvoke invoke = nullptr;
};

/// A kernel's row: made by INGOT_KERNEL; parses the header on first use.
struct KernelEntry {
    const char* name;
    std::size_t descriptor_size;
    KernelInvoke invoke;
};

/// Reads a kernel from the text of its header; `invoke` stays null. Throws std::logic_error when
/// the header is not in the form above.
Kernel parse_kernel(std::string_view name, std::string_view header);

/// The kernel of an entry. Throws std::logic_error when the header is not in the form above.
const Kernel& kernel(const KernelEntry& entry);

/// A descriptor's value: a number for each field, an array as a list.
using FieldValue = std::variant<std::int64_t, double, std::vector<std::int64_t>>;

/// Descriptor fields by name, in any order.
using FieldValues = std::vector<std::pair<std::string, FieldValue>>;

/// The values in the order of the kernel's fields. Throws std::logic_error when a field is
/// missing, unknown or given twice, when an array is longer than the field's extent (a shorter
/// one is filled up with zeros), or when a value does not fit its field's type.
std::vector<FieldValue> order_fields(const Kernel& kernel, const FieldValues& values);

/// The descriptor as the C compiler lays it out (natural alignment).
std::vector<std::uint8_t> pack_descriptor(const Kernel& kernel,
                                          const std::vector<FieldValue>& ordered);

namespace detail {

template <typename Descriptor, typename... Pointer, std::size_t... I>
std::int32_t invoke(std::int32_t (*function)(const Descriptor*, Pointer...), const void* descriptor,
                    std::span<void* const> arguments, std::index_sequence<I...>) {
    return function(static_cast<const Descriptor*>(descriptor),
                    static_cast<Pointer>(arguments[I])...);
}

template <typename Descriptor, typename... Pointer>
constexpr std::size_t arity(std::int32_t (*)(const Descriptor*, Pointer...)) {
    return sizeof...(Pointer);
}

template <auto Function>
std::int32_t invoke_kernel(const void* descriptor, std::span<void* const> arguments) {
    return invoke(Function, descriptor, arguments, std::make_index_sequence<arity(Function)>{});
}

}  // namespace detail
}  // namespace ingot::program

/// `const KernelEntry` for the kernel NAME; its C header must be included.
#define INGOT_KERNEL(NAME)                                                 \
    ::ingot::program::KernelEntry {                                        \
#NAME, sizeof(ingot_##NAME##_desc_t),                              \
            ::ingot::program::detail::invoke_kernel < ingot_kernel_##NAME> \
    }
