// Converts a model with the installed library: a module in memory, and a refusal without a crash.
#include <cstdio>
#include <fstream>
#include <iterator>

#include <ingot/ingot.h>

int main(int argc, char** argv) {
    std::ifstream file(argc > 1 ? argv[1] : "", std::ios::binary);
    ingot::Request request;
    request.model.assign(std::istreambuf_iterator<char>(file), {});
    request.model_name = "demo.tflite";
    request.yaml = "memory: {dump_residency_json: true}\n";
    request.yaml_name = "inline";
    request.settings.push_back({"module.prefix", "net"});
    const ingot::Result result = ingot::convert(request);
    if (result.status != 0 || result.files.count("includes-api/net_model.h") != 1 ||
        result.residency_json.empty() ||
        result.files.at("net_residency.json") != result.residency_json) {
        std::fprintf(stderr, "convert: status %d, %zu files\n", result.status, result.files.size());
        for (const ingot::Message& message : result.messages) {
            std::fprintf(stderr, "  %s: %s\n", message.where.c_str(), message.message.c_str());
        }
        return 1;
    }
    request.model.resize(100);
    const ingot::Result refused = ingot::convert(request);
    if (refused.status != 3 || refused.messages.empty() || !refused.files.empty()) {
        std::fprintf(stderr, "a cut model: status %d\n", refused.status);
        return 1;
    }
    std::printf("%s: %zu files\n", ingot::version(), result.files.size());
}
