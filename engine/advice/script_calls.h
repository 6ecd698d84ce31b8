// What one recorded call would be on PyTorch/XLA.
#pragma once

#include <string>

#include "engine/runtime/script_steps.h"

namespace tpulab {

enum class CallRole : std::uint8_t {
  traced,    // an operation of the graph
  beside,    // of the host alone: no part of the graph
  read,      // of a scalar
  download,  // of a whole tensor
  fallback,  // never lowered
  dynamic,   // never lowered, and its shape depends on values
  upload
};

// `device` is what the script takes for the TPU.
CallRole role_of(const ScriptCall& call, const std::string& device);
constexpr bool is_cut(CallRole role) {
  return role == CallRole::read || role == CallRole::download || role == CallRole::fallback ||
         role == CallRole::dynamic;
}
// True for operations whose whole numbers are part of the program: bounds of a slice.
bool numbers_are_compiled(const ScriptCall& call);
bool is_cpu(const std::string& device);
// "float32[32,8], float32[8]", the first few of them.
std::string values_text(const ScriptCall& call);

}  // namespace tpulab
