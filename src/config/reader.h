// Reads typed values from the tree and notes every mistake with its place.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "config/yaml.h"
#include "support/diagnostics.h"

namespace ingot::config {

/// A value's name in messages: `memory.planner`, `memory.tensors[2].type`.
using Name = std::string;

/// Reads from the tree of one file or flag. What is wrong is added to the diagnostics and
/// gives an empty result; nothing is thrown, so that all the mistakes are shown together.
class Reader {
  public:
    Reader(std::string file, support::Diagnostics& diagnostics)
        : file_(std::move(file)), diagnostics_(diagnostics) {}

    /// A flag has no lines: its name alone is the place.
    static Reader for_flag(const std::string& flag, support::Diagnostics& diagnostics);

    Origin origin(const Node& node) const;
    void error(const Node& node, const std::string& message, const std::string& hint = {});

    std::optional<std::string> text(const Node& node, const Name& name);
    std::optional<bool> boolean(const Node& node, const Name& name);
    /// A decimal integer from `least` to `most`.
    std::optional<std::int64_t> integer(const Node& node, const Name& name, std::int64_t least,
                                        std::int64_t most);
    /// A finite number of at least `least`.
    std::optional<double> number(const Node& node, const Name& name, double least);
    /// Bytes: `96K`, `1M`, `4096`.
    std::optional<std::uint64_t> size(const Node& node, const Name& name);
    /// A power of two up to 65536, bytes.
    std::optional<std::uint64_t> alignment(const Node& node, const Name& name);
    /// One of the words: its index.
    std::optional<std::size_t> choice(const Node& node, const Name& name,
                                      const std::vector<std::string>& words);
    /// A list of texts; one text is a list of one.
    std::optional<std::vector<std::string>> texts(const Node& node, const Name& name);

    /// What reads the value of one key of a map.
    using Field = std::function<void(const Node& value, const Name& name)>;
    /// A map with known keys. An unknown key is a mistake; a key without a value is as absent.
    void fields(const Node& node, const Name& name, const std::map<std::string, Field>& known);
    /// Calls `each` for every item of a list.
    void items(const Node& node, const Name& name, const Field& each);

  private:
    void wrong_kind(const Node& node, const Name& name, const std::string& wanted);

    std::string file_;
    bool flag_ = false;
    support::Diagnostics& diagnostics_;
};

std::string lower(std::string_view text);
std::string upper(std::string_view text);

}  // namespace ingot::config
