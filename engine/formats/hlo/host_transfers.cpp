#include "engine/formats/hlo/host_transfers.h"

#include <algorithm>

namespace tpulab::hlo {

namespace {

const ArrayType* operand(const Computation& in, const Instruction& one, std::size_t index) {
  if (index >= one.operands.size()) return nullptr;
  const Instruction* const from = in.find(one.operands[index]);
  return from == nullptr || from->type.arrays.empty() ? nullptr : &from->type.arrays[0];
}

// Behind the operands, where it begins asynchronously, and before a word of the device's own; of a
// copy before them.
const ArrayType& result_of(const Instruction& one) {
  const std::vector<ArrayType>& arrays = one.type.arrays;
  const bool behind = one.opcode.ends_with("slice-start") && arrays.size() > 1;
  return behind ? arrays[arrays.size() - 2] : arrays[0];
}

bool moves(const Instruction& one, std::string_view target) {
  return one.opcode == "custom-call" && unquoted(one.find("custom_call_target")) == target;
}

}  // namespace

std::optional<HostLinkWork> host_transfer_of(const Computation& in, const Instruction& one) {
  const ArrayType* const from = operand(in, one, 0);
  if (from == nullptr || one.type.arrays.empty()) return std::nullopt;
  const ArrayType& made = result_of(one);
  if (one.opcode.starts_with("dynamic-update-slice")) {
    const ArrayType* const part = operand(in, one, 1);
    if (part == nullptr || !from->on_host() || part->on_host()) return std::nullopt;
    return HostLinkWork{.bytes = part->stored()};
  }
  std::string_view kind = one.opcode;
  if (kind.ends_with("-start")) kind.remove_suffix(std::string_view("-start").size());
  const bool parts = kind == "slice" || kind == "dynamic-slice";
  const bool crosses = from->on_host() != made.on_host() && (parts || kind == "copy");
  if (!crosses && !moves(one, "MoveToHost") && !moves(one, "MoveToDevice")) return std::nullopt;
  return HostLinkWork{.bytes = made.stored(),
                      .taken = from->on_host() || moves(one, "MoveToDevice")};
}

}  // namespace tpulab::hlo
