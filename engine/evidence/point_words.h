// The words of a points file: kernels with their shapes, and other usual spellings of each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

// One number of a kernel's shape.
struct ShapeKey {
  std::string_view name;    // "sequence"
  std::string_view others;  // further spellings, parted by spaces
  std::int64_t usual = 0;   // taken where the point does not say it; 0: it must be said
};

struct KernelKind {
  std::string_view name;
  std::string_view others;
  std::span<const ShapeKey> keys;
  std::string_view order;  // what the numbers of shape = [...] are, in their order
};

// Small letters, '-' and ' ' as '_': "All-Reduce" is "all_reduce".
std::string plain_word(std::string_view typed);
// `name`, then `others`.
std::vector<std::string_view> words_of(std::string_view name, std::string_view others);
// Whether `word` is `name` or one of `others`.
bool is_word(std::string_view word, std::string_view name, std::string_view others);
// The kernel of that name in any usual spelling; nullptr if it is not described.
const KernelKind* kernel_kind(std::string_view typed);

// The key as this program spells it: "measured" is "value", "network" is "model". Unknown ones as
// they are.
std::string key_word(std::string_view typed);
// The known key that an unknown one is nearly; empty if it is known, or like none: points may say
// more than is read here.
std::string nearly_key(const std::string& key);
// "jax", "tensorflow", "pytorch-xla", or as typed.
std::string stack_word(std::string_view typed);
// "f32", "bf16", "bf16-true"; empty if it is none of them.
std::optional<std::string> precision_word(std::string_view typed);
// "none", "minimal", "full", "offload"; "none", "int8"; "auto", "sgd", "adam", "adamw",
// "lamb".
std::optional<std::string> remat_word(std::string_view typed);
std::optional<std::string> quant_word(std::string_view typed);
// "tuned", "ordinary".
std::optional<std::string> effort_word(std::string_view typed);
std::optional<std::string> optimizer_word(std::string_view typed);

}  // namespace tpulab
