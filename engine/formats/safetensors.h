// Named arrays as a .safetensors file (github.com/huggingface/safetensors, "Format"): the length of
// a JSON header, the header, and the numbers of all arrays, one behind the other.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/training/checkpoint.h"

namespace tpulab {

struct Safetensors {
  std::map<std::string, std::string> metadata{};
  std::vector<NamedArray> arrays{};  // of f32 and bf16
};

std::string text_of(const Safetensors& stored);
// Throws Error, which names the file, for another format, arrays of other types, and numbers that
// overlap, are cut or belong to no array.
Safetensors parse_safetensors(std::string_view bytes, const std::string& file);

}  // namespace tpulab
