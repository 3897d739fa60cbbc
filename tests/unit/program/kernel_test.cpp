// Kernels as the compiler reads them: headers, descriptors, values of fields.
#include "program/kernel.h"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

#include "support/embedded.h"

extern "C" {
#include "add_s8.h"
#include "conv_2d_s8.h"
#include "dequantize_s8_f32.h"
}

namespace ingot::program {
namespace {

constexpr std::string_view kHeader = R"(
/* A struct { in a comment; } ingot_other_desc_t; */
#include "support/platform.h"
typedef struct {
    int32_t size; /* elements */
    double factor; /* any */
    int32_t steps[3];
    float scale;
} ingot_sample_desc_t;
/* int32_t ingot_kernel_sample(comment); */
int32_t ingot_kernel_sample(const ingot_sample_desc_t *d, const int8_t *input,
                            const int32_t *INGOT_RESTRICT table, int16_t *output);
)";

TEST(KernelHeader, FieldsAndArgumentsAreRead) {
    const Kernel kernel = parse_kernel("sample", kHeader);
    ASSERT_EQ(kernel.fields.size(), 4U);
    EXPECT_EQ(kernel.fields[1].type, "double");
    EXPECT_EQ(kernel.fields[2].name, "steps");
    EXPECT_EQ(kernel.fields[2].extent, 3U);
    EXPECT_EQ(kernel.fields[3].extent, 0U);
    ASSERT_EQ(kernel.arguments.size(), 3U);
    EXPECT_EQ(kernel.arguments[0].type, "const int8_t *");
    EXPECT_EQ(kernel.arguments[1].type, "const int32_t *");
    EXPECT_EQ(kernel.arguments[1].name, "table");
    EXPECT_EQ(kernel.arguments[2].type, "int16_t *");
    // 4 and a gap of 4, 8, 12, 4: already a multiple of the double's alignment.
    EXPECT_EQ(kernel.descriptor_size, 32U);
}

TEST(KernelHeader, OtherFormsAreFaults) {
    const auto changed = [](std::string_view from, std::string_view to) {
        std::string text(kHeader);
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    for (const std::string& text : {
             std::string(),
             changed("} ingot_sample_desc_t;", "} ingot_simple_desc_t;"),
             changed("int32_t size;", "int64_t size;"),
             changed("int32_t size;", "int32_t size, more;"),
             changed("steps[3]", "steps[N]"),
             changed("steps[3]", "steps[0]"),
             changed("*d,", "*desc,"),
             changed("int16_t *output);", "int16_t output);"),
             changed("int16_t *output);", "int16_t *output"),
             changed("\nint32_t ingot_kernel_sample", "\nvoid ingot_kernel_sample"),
         }) {
        EXPECT_THROW(parse_kernel("sample", text), std::logic_error) << text;
    }
}

TEST(KernelHeader, EveryKernelIsInTheForm) {
    std::size_t kernels = 0;
    for (const std::string_view path : support::embedded_files("kernels/")) {
        const std::string_view file = path.substr(path.find('/') + 1);
        if (file.find('/') != std::string_view::npos || !file.ends_with(".h")) continue;
        const std::string name(file.substr(0, file.size() - 2));
        Kernel kernel;
        ASSERT_NO_THROW(kernel = parse_kernel(name, support::embedded_file(path))) << name;
        EXPECT_FALSE(kernel.arguments.empty()) << name;
        const std::string_view source = support::embedded_file("kernels/" + name + ".c");
        EXPECT_NE(source.find("int32_t ingot_kernel_" + name + "("), std::string_view::npos)
            << name;
        ++kernels;
    }
    EXPECT_GE(kernels, 4U);
}

TEST(KernelEntry, GivesTheSameKernelEveryTime) {
    const Kernel& first = kernel(INGOT_KERNEL(conv_2d_s8));
    EXPECT_EQ(&first, &kernel(INGOT_KERNEL(conv_2d_s8)));
    EXPECT_EQ(first.descriptor_size, sizeof(ingot_conv_2d_s8_desc_t));
    EXPECT_NE(first.invoke, nullptr);
}

TEST(KernelEntry, WrongSizeIsAFault) {
    KernelEntry entry = INGOT_KERNEL(add_s8);
    entry.descriptor_size += 4;
    EXPECT_THROW(kernel(entry), std::logic_error);
}

/// The bytes of a packed descriptor as the C compiler's struct.
template <typename Descriptor>
Descriptor packed(const KernelEntry& entry, const FieldValues& values) {
    const Kernel& k = kernel(entry);
    const std::vector<std::uint8_t> bytes = pack_descriptor(k, order_fields(k, values));
    Descriptor descriptor;
    EXPECT_EQ(bytes.size(), sizeof descriptor);
    std::memcpy(&descriptor, bytes.data(), sizeof descriptor);
    return descriptor;
}

/// A value of its own for every field.
FieldValues numbered(const Kernel& k) {
    FieldValues values;
    std::int64_t next = -3;
    for (const KernelField& field : k.fields) {
        if (field.extent > 0) {
            values.emplace_back(field.name, std::vector<std::int64_t>{next, next * 1000});
        } else if (field.type == "int32_t") {
            values.emplace_back(field.name, next);
        } else {
            values.emplace_back(field.name, static_cast<double>(next) / 4);
        }
        ++next;
    }
    return values;
}

TEST(PackDescriptor, IsTheCompilersLayout) {
    const auto conv = packed<ingot_conv_2d_s8_desc_t>(INGOT_KERNEL(conv_2d_s8),
                                                      numbered(kernel(INGOT_KERNEL(conv_2d_s8))));
    EXPECT_EQ(conv.batches, -3);
    EXPECT_EQ(conv.input_height, -2);
    EXPECT_EQ(conv.activation_max, 18);
    const auto add =
        packed<ingot_add_s8_desc_t>(INGOT_KERNEL(add_s8), numbered(kernel(INGOT_KERNEL(add_s8))));
    EXPECT_EQ(add.rank, -3);
    EXPECT_EQ(add.sizes[0], -2);
    EXPECT_EQ(add.sizes[1], -2000);
    EXPECT_EQ(add.sizes[7], 0);
    EXPECT_EQ(add.strides_1[1], -1000);
    EXPECT_EQ(add.input_1_offset, 1);
    const auto dequantize = packed<ingot_dequantize_s8_f32_desc_t>(
        INGOT_KERNEL(dequantize_s8_f32), numbered(kernel(INGOT_KERNEL(dequantize_s8_f32))));
    EXPECT_EQ(dequantize.scale, -0.5F);
    EXPECT_EQ(dequantize.zero_point, -1);
}

TEST(PackDescriptor, AlignsDoubles) {
    const Kernel sample = parse_kernel("sample", kHeader);
    struct {
        std::int32_t size;
        double factor;
        std::int32_t steps[3];
        float scale;
    } expected = {7, 0.1, {1, 2, 0}, 0.5F};
    const auto bytes =
        pack_descriptor(sample, order_fields(sample, {{"scale", 0.5},
                                                      {"steps", std::vector<std::int64_t>{1, 2}},
                                                      {"factor", 0.1},
                                                      {"size", std::int64_t{7}}}));
    decltype(expected) found;
    ASSERT_EQ(bytes.size(), sizeof found);
    std::memcpy(&found, bytes.data(), sizeof found);
    EXPECT_EQ(found.size, expected.size);
    EXPECT_EQ(found.factor, expected.factor);
    EXPECT_EQ(found.steps[1], 2);
    EXPECT_EQ(found.steps[2], 0);
    EXPECT_EQ(found.scale, expected.scale);
}

TEST(OrderFields, FaultsAreFound) {
    const Kernel sample = parse_kernel("sample", kHeader);
    const FieldValues good = {{"scale", 0.5},
                              {"steps", std::vector<std::int64_t>{1, 2}},
                              {"factor", 0.1},
                              {"size", std::int64_t{7}}};
    ASSERT_NO_THROW(order_fields(sample, good));
    const auto replaced = [&](std::size_t field, FieldValue value) {
        FieldValues values = good;
        values[field].second = std::move(value);
        return values;
    };
    FieldValues missing = good;
    missing.pop_back();
    FieldValues unknown = good;
    unknown.emplace_back("seize", std::int64_t{7});
    FieldValues twice = good;
    twice.push_back(good[3]);
    for (const FieldValues& values : {
             missing,
             unknown,
             twice,
             replaced(0, 0.1),                                    // not a float
             replaced(0, std::int64_t{1}),                        // an integer for a float
             replaced(1, std::vector<std::int64_t>{1, 2, 3, 4}),  // too long
             replaced(1, std::vector<std::int64_t>{std::int64_t{1} << 31}),
             replaced(1, std::int64_t{1}),
             replaced(3, std::int64_t{1} << 31),
             replaced(3, 7.0),
             replaced(3, std::vector<std::int64_t>{7}),
         }) {
        EXPECT_THROW(order_fields(sample, values), std::logic_error);
    }
}

}  // namespace
}  // namespace ingot::program
