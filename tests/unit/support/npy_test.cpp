// .npy files, good and bad.
#include "support/npy.h"

#include <gtest/gtest.h>

#include "support/diagnostics.h"

namespace ingot::support {
namespace {

std::vector<std::uint8_t> file(const std::string& header, const std::string& data) {
    std::string text = "\x93NUMPY";
    text += {'\x01', '\x00', static_cast<char>(header.size()), '\x00'};
    text += header + data;
    return {text.begin(), text.end()};
}

bool refused(const std::vector<std::uint8_t>& bytes) {
    try {
        parse_npy(bytes, "x.npy");
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.status(), ExitStatus::io);
        return true;
    }
    return false;
}

TEST(Npy, ReadsAnArrayAsNumPyWritesIt) {
    const auto bytes = file("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1), }   \n",
                            "\x01\x02\x03\x04");
    const NpyArray array = parse_npy(bytes, "x.npy");
    EXPECT_EQ(array.type, "i2");
    EXPECT_EQ(array.shape, (std::vector<std::uint64_t>{2, 1}));
    ASSERT_EQ(array.data.size(), 4U);
    EXPECT_EQ(array.data[3], 4);
}

TEST(Npy, WritesWhatItReads) {
    const std::vector<std::uint8_t> data = {1, 2, 3, 4, 5, 6, 7, 8};
    for (const std::vector<std::uint64_t>& shape :
         {std::vector<std::uint64_t>{}, std::vector<std::uint64_t>{1},
          std::vector<std::uint64_t>{1, 1, 1}}) {
        const std::string text = write_npy({"f8", shape, data});
        EXPECT_EQ((text.size() - data.size()) % 64, 0U);
        const std::vector<std::uint8_t> bytes(text.begin(), text.end());
        const NpyArray array = parse_npy(bytes, "x.npy");
        EXPECT_EQ(array.type, "f8");
        EXPECT_EQ(array.shape, shape);
        EXPECT_TRUE(std::equal(array.data.begin(), array.data.end(), data.begin(), data.end()));
    }
}

TEST(Npy, RefusesWhatItCannotRead) {
    const std::string good = "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }";
    EXPECT_FALSE(refused(file(good, "ab")));
    EXPECT_TRUE(refused(file(good, "a")));
    EXPECT_TRUE(refused(file(good, "abc")));
    EXPECT_TRUE(refused(file("{'descr': '>i2', 'fortran_order': False, 'shape': (1,), }", "ab")));
    EXPECT_TRUE(refused(file("{'descr': '|i1', 'fortran_order': True, 'shape': (2,), }", "ab")));
    EXPECT_TRUE(
        refused(file("{'descr': [('a', '|i1')], 'fortran_order': False, 'shape': (2,), }", "ab")));
    EXPECT_TRUE(refused(file("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", "ab")));
    EXPECT_TRUE(refused(file("{'descr': '|i1', 'shape': (2,), }", "ab")));
    EXPECT_TRUE(
        refused(file("{'descr': '|i1', 'fortran_order': False, 'shape': (2,), 'x': 1}", "ab")));
    EXPECT_TRUE(refused(file("{'descr': '|i1', 'fortran_order': False, 'shape': (-2,), }", "ab")));
    EXPECT_TRUE(
        refused(file("{'descr': '<f8', 'fortran_order': False, 'shape': "
                     "(18446744073709551615, 16), }",
                     "ab")));
    EXPECT_TRUE(refused({}));
    EXPECT_TRUE(refused({'a'}));
}

TEST(Npy, NeverReadsPastTheEnd) {
    const auto whole = file("{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }", "ab");
    for (std::size_t length = 0; length < whole.size(); ++length) {
        EXPECT_TRUE(refused({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)}))
            << length;
    }
}

}  // namespace
}  // namespace ingot::support
