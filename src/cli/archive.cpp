#include "cli/archive.h"

#include <sys/stat.h>
#include <zip.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "support/diagnostics.h"

namespace ingot::cli {
namespace {

constexpr zip_uint16_t kDosDate = (1 << 5) | 1;  // 1 January 1980, the earliest there is
constexpr zip_uint16_t kDosTime = 0;
constexpr zip_uint32_t kUnixMode = S_IFREG | 0644;
constexpr std::uint64_t kLargestArchive = std::uint64_t{1} << 28;
constexpr zip_int64_t kMostEntries = 100000;

struct Discard {
    void operator()(zip_t* zip) const { zip_discard(zip); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};

void require(bool worked, const char* what) {
    if (!worked) throw std::runtime_error(std::string("cannot make the archive: ") + what);
}

void add_file(zip_t* zip, const std::string& path, const std::string& bytes) {
    zip_source_t* source = zip_source_buffer(zip, bytes.data(), bytes.size(), 0);
    require(source != nullptr, "source");
    const zip_int64_t added = zip_file_add(zip, path.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (added < 0) zip_source_free(source);
    require(added >= 0, zip_strerror(zip));
    const auto index = static_cast<zip_uint64_t>(added);
    require(zip_set_file_compression(zip, index, ZIP_CM_STORE, 0) == 0, "compression");
    // The time as DOS writes it: seconds since 1970 would be turned into the local time.
    require(zip_file_set_dostime(zip, index, kDosTime, kDosDate, 0) == 0, "time");
    require(zip_file_set_external_attributes(zip, index, 0, ZIP_OPSYS_UNIX, kUnixMode << 16) == 0,
            "attributes");
}

std::string read_all(zip_source_t* source) {
    require(zip_source_open(source) == 0, "open");
    std::string bytes;
    std::vector<char> block(65536);
    for (;;) {
        const zip_int64_t count = zip_source_read(source, block.data(), block.size());
        require(count >= 0, "read");
        if (count == 0) break;
        bytes.append(block.data(), static_cast<std::size_t>(count));
    }
    zip_source_close(source);
    return bytes;
}

[[noreturn]] void not_zip(const std::string& where) {
    throw support::Failure(support::ExitStatus::io, where, "is not a zip archive");
}

}  // namespace

std::string make_zip(const support::FileSet& files) {
    zip_error_t error;
    zip_error_init(&error);
    std::unique_ptr<zip_source_t, Discard> target(zip_source_buffer_create(nullptr, 0, 0, &error));
    require(target != nullptr, "buffer");
    std::unique_ptr<zip_t, Discard> zip(zip_open_from_source(target.get(), ZIP_TRUNCATE, &error));
    require(zip != nullptr, "open");
    zip_source_keep(target.get());
    for (const auto& [path, bytes] : files) add_file(zip.get(), path, bytes);
    require(zip_close(zip.get()) == 0, zip_strerror(zip.get()));
    static_cast<void>(zip.release());
    return read_all(target.get());
}

support::FileSet read_zip(std::span<const std::uint8_t> bytes, const std::string& where) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    if (source == nullptr) not_zip(where);
    const std::unique_ptr<zip_t, Discard> zip(zip_open_from_source(source, ZIP_RDONLY, &error));
    if (!zip) {
        zip_source_free(source);
        not_zip(where);
    }
    const zip_int64_t count = zip_get_num_entries(zip.get(), 0);
    if (count > kMostEntries) not_zip(where);
    support::FileSet files;
    std::uint64_t total = 0;
    for (zip_int64_t i = 0; i < count; ++i) {
        const auto index = static_cast<zip_uint64_t>(i);
        const char* name = zip_get_name(zip.get(), index, 0);
        const std::unique_ptr<zip_file_t, Discard> file(zip_fopen_index(zip.get(), index, 0));
        if (name == nullptr || !file) not_zip(where);
        std::string& content = files[name];
        std::vector<char> block(65536);
        zip_int64_t got = 0;
        while ((got = zip_fread(file.get(), block.data(), block.size())) > 0) {
            total += static_cast<std::uint64_t>(got);
            if (total > kLargestArchive) not_zip(where);
            content.append(block.data(), static_cast<std::size_t>(got));
        }
        if (got < 0) not_zip(where);
    }
    return files;
}

}  // namespace ingot::cli
