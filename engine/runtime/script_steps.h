// The training steps of somebody's own script, call by call, as they were recorded without a TPU:
// what was called on which shapes, and no times.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tpulab {

struct ScriptTensor {
  std::string dtype;  // "float32"
  std::vector<std::int64_t> shape;
  std::string device;  // "cpu"

  bool operator==(const ScriptTensor&) const = default;
};

struct ScriptCall {
  std::string name;  // "aten::addmm"; of a read what Python called, "item"
  bool read = false;
  bool by_optimizer = false;  // from within torch.optim
  std::vector<ScriptTensor> tensors{};
  std::vector<std::int64_t> ints{};
  std::vector<std::string> targets{};  // devices that it names
  std::string at{};                    // "train.py:17"; empty where it is not known
};

struct ScriptSteps {
  std::string torch;                               // "2.9.0"
  std::string device;                              // what the script takes for the TPU: "cpu:0"
  std::vector<ScriptCall> calls{};                 // each of those that differ, once
  std::vector<std::vector<std::int32_t>> steps{};  // their calls, in order
  std::int64_t left_out = 0;                       // calls behind the last step that ended
};

}  // namespace tpulab
