// A bound on what one file may make the importer store.
#pragma once

#include <cstdint>

#include "support/diagnostics.h"

namespace ingot::tflite {

/// A FlatBuffer may refer to the same bytes from many places, so that a small file can stand
/// for a huge model. Everything that is copied from the file is charged here; honest models
/// share little (a weight used in several subgraphs), and stay far below the bound.
class Budget {
  public:
    /// `file_size` in bytes; the bound is 8 times that and 16 MiB for small files.
    explicit Budget(std::uint64_t file_size) : left_(8 * file_size + (std::uint64_t{16} << 20)) {}

    /// Accounts for `bytes`. Throws Failure(model) when the bound is passed.
    void charge(std::uint64_t bytes) {
        if (bytes > left_) {
            throw support::Failure(support::ExitStatus::model, "",
                                   "the file refers to the same data so often that the model "
                                   "would be many times larger than the file");
        }
        left_ -= bytes;
    }

  private:
    std::uint64_t left_;
};

}  // namespace ingot::tflite
