// A call as Python writes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

struct PythonCall {
  std::string name;                    // "nn.Linear"
  std::vector<std::string> arguments;  // "64", "out_features=128"
};

// The first call in `code`: all before its bracket is its name. Without one no argument.
PythonCall python_call(std::string_view code);
// The value that is called so, or the one without a name at that place from 1; 0: it needs its
// name. Empty if it is not there.
std::string argument_of(const PythonCall& call, std::string_view name, int place);

}  // namespace tpulab
