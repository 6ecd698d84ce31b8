#include "engine/formats/hlo/schedule_memory.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace tpulab::hlo {

namespace {

constexpr int deepest = 32;

// Results that are other instructions' memory.
bool names_anew(const Instruction& one) {
  constexpr std::array<std::string_view, 9> words{
      "bitcast",   "tuple",    "get-tuple-element",    "while",     "opt-barrier",
      "parameter", "constant", "dynamic-update-slice", "all-reduce"};
  return std::ranges::find(words, one.opcode) != words.end() || one.opcode.ends_with("-done");
}

// Written in the place of an operand: an update inside a fusion, or what the text says.
bool in_place(const Module& module, const Instruction& one) {
  if (one.attributes.find("output_to_operand_aliasing") != std::string_view::npos) return true;
  const std::string_view called = one.called("calls");
  const auto found = module.computations.find(called);
  if (called.empty() || found == module.computations.end()) return false;
  const Instruction* const root = found->second.root();
  return root != nullptr && root->opcode == "dynamic-update-slice";
}

// Arrays of the entry's results that take over a parameter's memory: an instruction, and which
// element of it.
class TakenOver {
 public:
  TakenOver(const Module& module, const Computation& entry) {
    const Instruction* const root = entry.root();
    if (root == nullptr) return;
    for (const Alias& alias : aliases_of(module)) note(entry, *root, alias.result);
  }

  bool has(std::string_view name, std::size_t element) const {
    return places_.contains({name, element});
  }

 private:
  void note(const Computation& entry, const Instruction& root, std::size_t result) {
    const Instruction* made = &root;
    std::size_t element = 0;
    if (root.opcode == "tuple") {
      made = result < root.operands.size() ? entry.find(root.operands[result]) : nullptr;
    }
    for (int step = 0; made != nullptr && step < deepest && !made->operands.empty(); ++step) {
      const bool picks = made->opcode == "get-tuple-element";
      if (!picks && made->opcode != "bitcast") break;
      const std::int64_t index = std::max<std::int64_t>(first_number(made->find("index"), 0), 0);
      if (picks) element = static_cast<std::size_t>(index);
      made = entry.find(made->operands[0]);
    }
    if (made != nullptr) places_.insert({made->name, element});
  }

  std::set<std::pair<std::string_view, std::size_t>> places_;
};

class Schedule {
 public:
  Schedule(const Module& module, const Computation& entry)
      : module_(module), entry_(entry), taken_over_(module, entry) {}

  // Beside what a body is given.
  Bytes peak_of(const Computation& body, int depth) {
    if (depth > deepest) return {};
    const auto known = known_.find(body.name);
    if (known != known_.end()) return known->second;
    const std::map<std::string_view, std::size_t> last = last_reads(body);
    std::map<std::size_t, Bytes> ends;
    Bytes now;
    Bytes most;
    for (std::size_t at = 0; at < body.instructions.size(); ++at) {
      const Instruction& one = body.instructions[at];
      const Bytes made = own_bytes(body, one);
      const auto end = last.find(one.name);
      now += made;
      ends[end == last.end() ? at : end->second] += made;
      most = std::max(most, now + inside(one, depth));
      if (const auto over = ends.find(at); over != ends.end()) now = now - over->second;
    }
    known_[body.name] = most;
    return most;
  }

 private:
  Bytes own_bytes(const Computation& body, const Instruction& one) const {
    Bytes bytes;
    // An asynchronous copy goes to the memory of a core, and names what it reads as well.
    const bool copies = one.opcode == "copy-start" || one.opcode == "slice-start";
    if (copies || names_anew(one) || in_place(module_, one)) return bytes;
    for (std::size_t i = 0; i < one.type.arrays.size(); ++i) {
      const ArrayType& array = one.type.arrays[i];
      const bool own = &body != &entry_ || !taken_over_.has(one.name, i);
      if (own && array.in_hbm()) bytes += array.stored();
    }
    return bytes;
  }

  Bytes inside(const Instruction& one, int depth) {
    if (one.opcode == "while")
      return peak_of(module_.computation(one.called("body"), one), depth + 1);
    if (one.opcode == "call") {
      return peak_of(module_.computation(one.called("to_apply"), one), depth + 1);
    }
    return {};
  }

  // Of each instruction, where it or what names it anew is read last; the root stays.
  static std::map<std::string_view, std::size_t> last_reads(const Computation& body) {
    std::map<std::string_view, std::size_t> last;
    const std::size_t end = body.instructions.size();
    for (std::size_t at = end; at-- > 0;) {
      const Instruction& one = body.instructions[at];
      std::size_t until = at;
      const auto own = last.find(one.name);
      if (one.root) until = end;
      if (names_anew(one) && own != last.end()) until = std::max(until, own->second);
      if (one.root) last[one.name] = end;
      for (const std::string_view operand : one.operands) {
        std::size_t& read = last[operand];
        read = std::max(read, until);
      }
    }
    return last;
  }

  const Module& module_;
  const Computation& entry_;
  TakenOver taken_over_;
  std::map<std::string_view, Bytes> known_;
};

}  // namespace

Bytes memory_of_schedule(const Module& module) {
  const Computation& entry = module.computations.at(module.entry);
  Bytes given;
  for (const Instruction& one : entry.instructions) {
    if (one.opcode != "parameter") continue;
    for (const ArrayType& array : one.type.arrays) given += array.stored();
  }
  return given + Schedule(module, entry).peak_of(entry, 0);
}

}  // namespace tpulab::hlo
