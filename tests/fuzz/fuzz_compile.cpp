// libFuzzer target: any bytes as a model, converted to a module's files in memory. Refusing is
// fine; a crash, a leak, a hang, too much memory or a fault of Ingot itself is not.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <span>

#include "config/config.h"
#include "driver/driver.h"
#include "support/diagnostics.h"

extern "C" size_t LLVMFuzzerMutate(std::uint8_t* data, size_t size, size_t max_size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, size_t size) {
    using namespace ingot;
    support::Diagnostics diagnostics;
    try {
        const config::Config config = config::load("", "", {});
        driver::convert(config, std::span(data, size), "model.tflite", {}, {}, diagnostics);
    } catch (const support::Failure& failure) {
        if (failure.status() == support::ExitStatus::internal) {
            std::cerr << failure.what() << '\n';
            std::abort();
        }
    }
    return 0;
}

/// Half of the mutations only overwrite one aligned number with one that is often a limit: the
/// file stays a valid FlatBuffer and the fault lies in what it means.
extern "C" size_t LLVMFuzzerCustomMutator(std::uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
    std::srand(seed);
    if (size < 12 || std::rand() % 2 == 0) return LLVMFuzzerMutate(data, size, max_size);
    constexpr std::int32_t kNumbers[] = {-2147483647 - 1,
                                         -256,
                                         -2,
                                         -1,
                                         0,
                                         1,
                                         2,
                                         3,
                                         4,
                                         5,
                                         7,
                                         8,
                                         9,
                                         10,
                                         16,
                                         64,
                                         127,
                                         128,
                                         255,
                                         256,
                                         1 << 16,
                                         (1 << 16) - 1,
                                         1 << 30,
                                         2147483647};
    constexpr int kCount = sizeof(kNumbers) / sizeof(kNumbers[0]);
    std::int32_t number = kNumbers[std::rand() % kCount];
    const size_t place = 8 + static_cast<size_t>(std::rand()) % (size - 11);
    if (std::rand() % 4 == 0) {
        data[place] = static_cast<std::uint8_t>(number);
        return size;
    }
    std::uint8_t* word = data + place / 4 * 4;
    if (std::rand() % 2 == 0) {
        std::int32_t old = 0;
        std::memcpy(&old, word, sizeof(old));
        number = static_cast<std::int32_t>(static_cast<std::uint32_t>(old) +
                                           static_cast<std::uint32_t>(std::rand() % 9) - 4U);
    }
    std::memcpy(word, &number, sizeof(number));
    return size;
}
