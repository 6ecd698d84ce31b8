// A data set of the user's own, from files: CSV, NumPy's .npy, MNIST's IDX, CIFAR, plain text.
#pragma once

#include <optional>
#include <string>

#include "engine/training/dataset.h"

namespace tpulab {

struct OwnData {
  Dataset set{};        // its name stays valid as long as the program runs
  std::string found{};  // "150 rows of 4 columns (width, ...), 3 classes (a, b, c)"
};

// The bytes of a file and how errors call it.
struct DataFile {
  std::string name{};
  std::string bytes{};
};

// `labels`: the classes of the rows in a file of their own; without one the last column has them.
// Rows are shuffled once and four fifths train; text (.txt, .md) keeps its order. Of a table each
// column is scaled to mean 0 and deviation 1 of the rows that train where rows are split, of images
// whole numbers below 256 to 0..1. Throws Error with file, line or row for what is cut, of another
// type or out of range.
OwnData read_own_data(const DataFile& data, const std::optional<DataFile>& labels);

// The file that holds the labels of an IDX file: "train-labels-idx1-ubyte" in its folder; empty if
// its name does not tell and for other kinds.
std::string idx_labels_of(const DataFile& data);

}  // namespace tpulab
