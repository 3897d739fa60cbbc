// How long a conversion takes inside the library, without process start and without files:
// bench_convert MODEL... [--benchmark_...]
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "ingot/ingot.h"

namespace {

void convert(benchmark::State& state, const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    ingot::Request request;
    request.model.assign(std::istreambuf_iterator<char>(file), {});
    request.model_name = path.substr(path.find_last_of('/') + 1);
    for (auto _ : state) {
        const ingot::Result result = ingot::convert(request);
        if (result.status != 0) {
            state.SkipWithError(result.messages.empty() ? "refused"
                                                        : result.messages.back().message.c_str());
            break;
        }
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(request.model.size()) * state.iterations());
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s MODEL... [--benchmark_...]\n", argv[0]);
        return 2;
    }
    for (int i = 1; i < argc; ++i) {
        const std::string path = argv[i];
        const std::string name = path.substr(path.find_last_of('/') + 1);
        benchmark::RegisterBenchmark(name.c_str(), [path](benchmark::State& state) {
            convert(state, path);
        })->Unit(benchmark::kMillisecond);
    }
    benchmark::RunSpecifiedBenchmarks();
}
