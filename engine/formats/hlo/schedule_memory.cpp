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
  return std::ranges::find(words, one.opcode) != words.end() || one.opcode.ends_with("-done") ||
         one.opcode == "dynamic-update-slice-start";
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

// Groups of arrays that share memory, as the compiler says beside a kernel:
// "aliasing_operands":{"lists":[{"indices":["0","3"]}]}, results counted behind the operands.
std::vector<std::vector<std::int64_t>> sharing(const Instruction& one) {
  std::vector<std::vector<std::int64_t>> groups;
  std::string_view rest = one.find("backend_config");
  rest = rest.substr(std::min(rest.find("\"aliasing_operands\""), rest.size()));
  for (std::size_t at = rest.find("[\""); at != std::string_view::npos; at = rest.find("[\"")) {
    const std::size_t end = std::min(rest.find(']', at), rest.size());
    groups.push_back(numbers_in(rest.substr(at, end - at)));
    rest.remove_prefix(end);
  }
  return groups;
}

// The operand whose memory each array that a kernel writes takes over: of its group one as large.
std::map<std::size_t, std::string_view> taken_over(const Computation& body,
                                                   const Instruction& one) {
  std::map<std::size_t, std::string_view> taken;
  const auto operands = std::ssize(one.operands);
  for (const std::vector<std::int64_t>& group : sharing(one)) {
    std::set<std::int64_t> left(group.begin(), group.end());
    for (const std::int64_t index : group) {
      const auto array = static_cast<std::size_t>(index - operands);
      if (index < operands || array >= one.type.arrays.size()) continue;
      const auto given = std::ranges::find_if(left, [&](std::int64_t other) {
        if (other < 0 || other >= operands) return false;
        const Instruction* const from = body.find(one.operands[static_cast<std::size_t>(other)]);
        return from != nullptr && from->type.arrays.size() == 1 && from->type.arrays[0].in_hbm() &&
               from->type.arrays[0].stored() == one.type.arrays[array].stored();
      });
      if (given == left.end()) continue;
      taken.emplace(array, one.operands[static_cast<std::size_t>(*given)]);
      left.erase(given);
    }
  }
  return taken;
}

// Arrays among the results of a computation that lie in memory that is there already: an
// instruction, and which element of it.
class TakenOver {
 public:
  // Of the entry, which takes over parameters.
  TakenOver(const Module& module, const Computation& entry) {
    const Instruction* const root = entry.root();
    if (root == nullptr) return;
    for (const Alias& alias : aliases_of(module)) note(entry, *root, alias.result);
  }

  // Of a loop's body or a branch, which leaves all where the loop, the branches have them.
  explicit TakenOver(const Computation& body) {
    const Instruction* const root = body.root();
    if (root == nullptr) return;
    const bool tuple = root->opcode == "tuple";
    const std::size_t results = tuple ? root->operands.size() : 1;
    for (std::size_t i = 0; i < results; ++i) note(body, *root, i);
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
      if (!picks && made->opcode != "bitcast" && made->opcode != "copy-done") break;
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
  Schedule(const Module& module, const Computation& entry, bool on_host)
      : module_(module), entry_(entry), on_host_(on_host), of_entry_(module, entry) {}

  // What is given, and the most beside it.
  Bytes peak() {
    Bytes given;
    for (const Instruction& one : entry_.instructions) {
      if (one.opcode != "parameter") continue;
      for (const ArrayType& array : one.type.arrays) given += bytes_of(array);
    }
    return given + peak_of(entry_, 0);
  }

 private:
  // None of what lies elsewhere.
  Bytes bytes_of(const ArrayType& array) const {
    const bool here = on_host_ ? array.on_host() : array.in_hbm();
    return here ? array.stored() : Bytes{};
  }

  // Beside what a body is given.
  Bytes peak_of(const Computation& body, int depth) {
    if (depth > deepest) return {};
    const auto known = known_.find(body.name);
    if (known != known_.end()) return known->second;
    const std::map<std::string_view, std::size_t> last = last_reads(body);
    const TakenOver results = &body == &entry_ ? of_entry_ : TakenOver(body);
    std::map<std::size_t, Bytes> ends;
    Bytes now;
    Bytes most;
    for (std::size_t at = 0; at < body.instructions.size(); ++at) {
      const Instruction& one = body.instructions[at];
      const Bytes made = own_bytes(body, one, results);
      const auto end = last.find(one.name);
      now += made;
      ends[end == last.end() ? at : end->second] += made;
      most = std::max(most, now + inside(one, depth));
      if (const auto over = ends.find(at); over != ends.end()) now = now - over->second;
    }
    known_[body.name] = most;
    return most;
  }

  Bytes own_bytes(const Computation& body, const Instruction& one, const TakenOver& results) const {
    Bytes bytes;
    if (names_anew(one) || in_place(module_, one)) return bytes;
    const auto operands = taken_over(body, one);
    for (std::size_t i = 0; i < one.type.arrays.size(); ++i) {
      const bool own = makes(one, i) && !results.has(one.name, i) && !operands.contains(i);
      if (own) bytes += bytes_of(one.type.arrays[i]);
    }
    return bytes;
  }

  // A copy that begins names what it reads behind what it makes, a slice before it.
  static bool makes(const Instruction& one, std::size_t array) {
    if (one.opcode == "copy-start") return array == 0;
    return !one.opcode.ends_with("slice-start") || array + 2 == one.type.arrays.size();
  }

  Bytes inside(const Instruction& one, int depth) {
    if (one.opcode == "while")
      return peak_of(module_.computation(one.called("body"), one), depth + 1);
    if (one.opcode == "call") {
      return peak_of(module_.computation(one.called("to_apply"), one), depth + 1);
    }
    Bytes most;
    for (const std::string_view branch : branches_of(one)) {
      most = std::max(most, peak_of(module_.computation(branch, one), depth + 1));
    }
    return most;
  }

  // Of each instruction, where it or what names it anew is read last; the root stays. What begins
  // reads until it ends.
  static std::map<std::string_view, std::size_t> last_reads(const Computation& body) {
    std::map<std::string_view, std::size_t> last;
    std::map<std::string_view, std::size_t> ends;
    const std::size_t end = body.instructions.size();
    for (std::size_t at = end; at-- > 0;) {
      const Instruction& one = body.instructions[at];
      std::size_t read = at;
      if (one.opcode.ends_with("-done") && !one.operands.empty()) ends[one.operands[0]] = at;
      if (const auto over = ends.find(one.name); over != ends.end()) read = over->second;
      std::size_t until = one.root ? end : read;
      const auto own = last.find(one.name);
      if (names_anew(one) && own != last.end()) until = std::max(until, own->second);
      if (one.root) last[one.name] = end;
      const bool updates = one.opcode.starts_with("dynamic-update-slice");
      for (std::size_t i = 0; i < one.operands.size(); ++i) {
        std::size_t& of_operand = last[one.operands[i]];
        of_operand = std::max(of_operand, updates && i > 0 ? read : until);
      }
      if (own == last.end()) continue;
      const std::size_t kept = own->second;
      for (const auto& [array, operand] : taken_over(body, one)) {
        std::size_t& of_operand = last[operand];
        of_operand = std::max(of_operand, kept);
      }
    }
    return last;
  }

  const Module& module_;
  const Computation& entry_;
  bool on_host_;
  TakenOver of_entry_;
  std::map<std::string_view, Bytes> known_;
};

}  // namespace

Bytes memory_of_schedule(const Module& module) {
  return Schedule(module, module.computations.at(module.entry), false).peak();
}

Bytes host_memory_of_schedule(const Module& module) {
  return Schedule(module, module.computations.at(module.entry), true).peak();
}

}  // namespace tpulab::hlo
