#include "engine/formats/hlo/instruction_kinds.h"

#include <array>

#include "engine/formats/among.h"
#include "engine/formats/hlo/kernel_work.h"
#include "engine/formats/hlo/parser.h"

namespace tpulab::hlo {

namespace {

// What takes no kernel: names, and what the schedule only marks.
constexpr std::array<std::string_view, 9> names_only{
    "parameter", "constant",     "tuple",      "get-tuple-element", "bitcast",
    "after-all", "partition-id", "replica-id", "opt-barrier"};
// Custom calls that do no work.
constexpr std::array<std::string_view, 4> free_calls{
    "AllocateBuffer", "ConcatBitcast", "NopReturnToken", "AssumeGatherIndicesInBound"};
// Launched although the compiler estimates no cycles of them.
constexpr std::array<std::string_view, 11> always_launched{
    "dot",  "fusion",      "custom-call",   "sort",    "scatter", "gather",
    "copy", "convolution", "reduce-window", "reverse", "slice"};

bool is_free_call(const Instruction& one) {
  return one.opcode == "custom-call" && among(free_calls, unquoted(one.find("custom_call_target")));
}

}  // namespace

bool only_names(std::string_view opcode) { return among(names_only, opcode); }

bool fetches(std::string_view opcode) { return opcode == "copy-start" || opcode == "slice-start"; }

bool ends_something(std::string_view opcode) {
  return opcode.ends_with("-done") || opcode.ends_with("-update");
}

bool added_by_compiler(const Instruction& one) {
  if (one.opcode == "constant") return false;
  return only_names(one.opcode) || one.opcode == "fusion" || one.opcode == "copy" ||
         fetches(one.opcode) || ends_something(one.opcode) || is_free_call(one);
}

bool is_with_host(const Instruction& one) {
  return one.opcode == "infeed" || one.opcode == "outfeed" ||
         one.find("is_host_transfer") == "true";
}

bool launched(const Instruction& one) {
  if (is_free_call(one)) return false;
  return among(always_launched, one.opcode) || is_collective(one.opcode) ||
         one.attributes.find("\"estimated_cycles\"") != std::string_view::npos;
}

}  // namespace tpulab::hlo
