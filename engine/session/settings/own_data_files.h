// Data sets that are files of the user's: read once when they are named, and known from then on.
#pragma once

#include <string>
#include <string_view>

#include "engine/training/dataset.h"

namespace tpulab {

// "iris.csv", "data/x.npy,data/y.npy", "train-images-idx3-ubyte": what no built-in set is called.
bool names_data_file(std::string_view data);
// Reads the file again, whatever is known of it. Throws Error, and what was known stays.
void read_data_file(const std::string& name);
// Read now if it is not known; it stays valid as long as the program runs. Throws Error.
const Dataset& data_file(const std::string& name);
// "150 rows of 4 columns ..., 3 classes ...": what was found in it.
std::string found_in_data_file(const std::string& name);

}  // namespace tpulab
