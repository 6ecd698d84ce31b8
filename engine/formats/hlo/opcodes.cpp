// The operations of XLA's HLO by name. [XLA, hlo_opcode.h, releases of 2023 to 2025]
#include "engine/formats/hlo/opcodes.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/text.h"

namespace tpulab::hlo {

namespace {

// Sorted. What begins, goes on or ends asynchronously has the name of the rest and an ending.
constexpr std::string_view opcodes =
    "abs acos acosh add add-dependency after-all all-gather all-reduce all-to-all and asin asinh "
    "async atan2 atanh batch-norm-grad batch-norm-inference batch-norm-training bitcast "
    "bitcast-convert broadcast call cbrt ceil cholesky clamp collective-broadcast "
    "collective-permute compare complex concatenate conditional constant convert convolution "
    "copy cosh cosine count-leading-zeros custom-call divide domain dot dynamic-reshape "
    "dynamic-slice dynamic-update-slice erf exponential exponential-minus-one fft floor fusion "
    "gather get-dimension-size get-tuple-element imag infeed iota is-finite log log-plus-one "
    "logistic map maximum minimum multiply negate not opt-barrier or outfeed pad parameter "
    "partition-id popcnt power ragged-all-to-all ragged-dot real recv reduce reduce-precision "
    "reduce-scatter reduce-window remainder replica-id reshape reverse rng rng-bit-generator "
    "rng-get-and-update-state round-nearest-afz round-nearest-even rsqrt scaled-dot scatter "
    "select select-and-scatter send set-dimension-size shift-left shift-right-arithmetic "
    "shift-right-logical sign sine sinh slice sort sqrt stochastic-convert subtract tan tanh "
    "topk transpose triangular-solve tuple while xor";

}  // namespace

bool is_opcode(std::string_view word) {
  for (const std::string_view ending : {"-start", "-update", "-done"}) {
    if (word.ends_with(ending)) word.remove_suffix(ending.size());
  }
  static const std::vector<std::string_view> all = words_in(opcodes);
  return std::ranges::binary_search(all, word);
}

std::string nearest_opcode(std::string_view word) {
  return nearest_name(word, split(opcodes, ' '));
}

}  // namespace tpulab::hlo
