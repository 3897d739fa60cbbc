#include "driver/vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "program/execute.h"

namespace ingot::driver {

std::vector<std::uint8_t> random_bytes(const program::Tensor& tensor, support::SplitMix64& random) {
    std::vector<std::uint8_t> bytes(tensor.size);
    if (tensor.type == ir::DataType::float32) {
        for (std::size_t i = 0; i + sizeof(float) <= bytes.size(); i += sizeof(float)) {
            // 24 random bits are exact in a float.
            const auto code = static_cast<float>(random.next() >> 40);
            const float value = code / static_cast<float>(1 << 23) - 1.0F;
            std::memcpy(&bytes[i], &value, sizeof value);
        }
        return bytes;
    }
    for (std::uint8_t& byte : bytes) {
        byte = static_cast<std::uint8_t>(random.next());
        if (tensor.type == ir::DataType::boolean) byte &= 1U;
    }
    return bytes;
}

std::vector<module::TestInvocation> host_vectors(const program::Program& program,
                                                 const memory::MemoryPlan& plan,
                                                 std::size_t invocations, std::uint64_t seed) {
    support::SplitMix64 random(seed);
    program::Instance instance(program, plan.layout());
    instance.reset();
    std::vector<module::TestInvocation> result(invocations);
    for (module::TestInvocation& invocation : result) {
        for (const program::TensorId id : program.inputs) {
            invocation.inputs.push_back(random_bytes(program.tensor(id), random));
            std::copy(invocation.inputs.back().begin(), invocation.inputs.back().end(),
                      instance.bytes(id).begin());
        }
        const std::int32_t status = instance.run();
        if (status != 0) {
            throw std::logic_error(fmt::format("the host execution ended with {}", status));
        }
        for (const program::TensorId id : program.outputs) {
            const auto bytes = instance.bytes(id);
            invocation.outputs.emplace_back(bytes.begin(), bytes.end());
        }
    }
    return result;
}

}  // namespace ingot::driver
