#include "engine/formats/hlo/kernel_work.h"

#include <algorithm>
#include <array>
#include <set>

#include "engine/base/text.h"
#include "engine/formats/sorting.h"
#include "engine/ops/general_ops.h"

namespace tpulab::hlo {

namespace {

// Operations an element, as in VectorWork, of what is an op of its own to StableHLO. The others are
// the functions that it names, with "_" for "-"; what is neither moves or names elements only.
struct Function {
  std::string_view name;
  int cheap = 0;
  int medium = 0;
  int transcendental = 0;
};
constexpr std::array<Function, 18> functions{{
    {"add", 1},
    {"subtract", 1},
    {"multiply", 1},
    {"maximum", 1},
    {"compare", 1},
    {"select", 1},
    {"convert", 1},
    {"stochastic-convert", 2},
    {"divide", 0, 1},
    {"sqrt", 0, 1},
    {"rsqrt", 0, 1},
    {"exponential", 0, 0, 1},
    {"tanh", 0, 0, 1},
    {"logistic", 1, 1, 1},
    {"bitcast-convert"},
    {"complex"},
    {"real"},
    {"imag"},
}};

VectorWork work_of(std::string_view opcode, const Shape& shape) {
  if (const Function* const row = find_row(functions, opcode, &Function::name)) {
    return {.shape = shape,
            .cheap = row->cheap,
            .medium = row->medium,
            .transcendental = row->transcendental};
  }
  std::string name(opcode);
  std::ranges::replace(name, '-', '_');
  return has_function(name) ? work_of_function(name, shape) : VectorWork{.shape = shape};
}

constexpr int deepest_call = 64;

// Where an axis lies in the array that operand_of() makes.
int place_of(const ArrayType& type, std::int64_t axis) {
  const auto at = std::ranges::find(type.order, axis);
  const auto from_lanes = static_cast<int>(at - type.order.begin());
  const int rank = operand_of(type).shape.rank();
  return std::max(rank - 1 - from_lanes, 0);
}

class Inside {
 public:
  Inside(const Module& module, Work& work, std::int64_t& visits)
      : module_(module), work_(work), visits_(visits) {}

  void add(const Computation& in, const Instruction& one, int depth) {
    if (depth > deepest_call || ++visits_ > most_visits) {
      module_.refuse(one.line, "computations call each other too deeply");
    }
    if (one.opcode == "convolution" || one.opcode == "dot") {
      const MatrixWork product = product_of(module_, in, one);
      work_.flops += product.flops();
      work_.product = true;
      work_.kernel.items.emplace_back(product);
    } else if (one.opcode == "reduce") {
      fold(in, one);
    } else if (one.opcode == "reduce-window" || one.opcode == "select-and-scatter") {
      slide(in, one);
    } else if (one.opcode == "sort") {
      sort(one);
    } else if (one.opcode == "custom-call") {
      work_.unknown = true;
    } else if (one.opcode == "fusion" || one.opcode == "call" || one.opcode == "async-start") {
      all_of(module_.computation(one.called(one.opcode == "call" ? "to_apply" : "calls"), one),
             depth);
    } else {
      each(one);
    }
  }

 private:
  void all_of(const Computation& inside, int depth) {
    for (const Instruction& one : inside.instructions) {
      if (is_collective(one.opcode)) {
        const auto sent = collective_in_fusion(inside, one);
        if (sent) work_.kernel.items.emplace_back(*sent);
      } else {
        add(inside, one, depth + 1);
      }
    }
  }

  void each(const Instruction& one) {
    if (one.type.arrays.empty()) return;
    VectorWork work = work_of(one.opcode, operand_of(one.type.arrays[0]).shape);
    if (work.cheap + work.medium + work.transcendental == 0) return;
    work_.kernel.items.emplace_back(work);
  }

  // The keys, and what moves with them.
  void sort(const Instruction& one) {
    const std::vector<std::int64_t> axes = numbers_in(one.find("dimensions"));
    for (const ArrayType& array : one.type.arrays) {
      const bool known = axes.size() == 1 && axes[0] >= 0 && axes[0] < std::ssize(array.extents);
      if (!known) module_.refuse(one.line, "it sorts along no axis");
      const std::int64_t length = array.extents[static_cast<std::size_t>(axes[0])];
      work_.kernel.items.emplace_back(
          VectorWork{.shape = operand_of(array).shape, .cheap = sorting_operations(length)});
    }
  }

  const ArrayType* first_operand(const Computation& in, const Instruction& one) const {
    const Instruction* const from = one.operands.empty() ? nullptr : in.find(one.operands[0]);
    return from == nullptr || from->type.arrays.empty() ? nullptr : &from->type.arrays[0];
  }

  void fold(const Computation& in, const Instruction& one) {
    const ArrayType* const array = first_operand(in, one);
    if (array == nullptr) module_.refuse(one.line, "a reduce of what is not there");
    std::vector<std::int64_t> axes = numbers_in(one.find("dimensions"));
    std::erase_if(
        axes, [&](std::int64_t axis) { return axis < 0 || axis >= std::ssize(array->extents); });
    if (axes.empty()) return;
    // The slow one decides: that along the lanes.
    int axis = 0;
    for (const std::int64_t folded : axes) axis = std::max(axis, place_of(*array, folded));
    work_.kernel.items.emplace_back(
        VectorWork{.shape = operand_of(*array).shape, .cheap = 1, .reduced_axis = axis});
  }

  void slide(const Computation& in, const Instruction& one) {
    const ArrayType* const array = first_operand(in, one);
    if (array == nullptr || one.type.arrays.empty()) return;
    const std::vector<std::int64_t> sizes = field_of(one.find("window"), "size=");
    std::int64_t taps = 1;
    int axis = -1;
    for (std::size_t i = 0; i < sizes.size() && i < array->extents.size(); ++i) {
      const std::int64_t extent = array->extents[i];
      // It sees the whole axis from everywhere: a sum or maximum that all elements get.
      const bool whole = extent > 1 && sizes[i] >= 2 * extent - 1;
      if (whole) axis = std::max(axis, place_of(*array, static_cast<std::int64_t>(i)));
      if (!whole) taps = std::clamp<std::int64_t>(taps * std::min(sizes[i], extent), 1, 1 << 16);
    }
    const bool scatters = one.opcode == "select-and-scatter";
    const ArrayType& counted = scatters || axis >= 0 ? *array : one.type.arrays[0];
    work_.kernel.items.emplace_back(VectorWork{.shape = operand_of(counted).shape,
                                               .cheap = static_cast<int>(scatters ? 2 : taps),
                                               .reduced_axis = axis});
  }

  const Module& module_;
  Work& work_;
  std::int64_t& visits_;
};

// What a fusion reads of its operands and writes of its results.
class Crossing {
 public:
  Crossing(const Module& module, const Computation& in, const Instruction& one)
      : module_(module), in_(in), one_(one) {
    const std::string_view called = one.called("calls");
    if (one.opcode == "fusion" && !called.empty()) inside_ = &module.computation(called, one);
  }

  void add_to(KernelWork& kernel) {
    if (inside_ != nullptr) find_updates();
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < one_.operands.size(); ++i) {
      const Instruction* const from = in_.find(one_.operands[i]);
      if (from == nullptr || !seen.insert(from->name).second || from->opcode == "constant")
        continue;
      read(i, *from, kernel);
    }
    for (const ArrayType& array : one_.type.arrays) {
      if (!array.in_hbm()) continue;
      const auto part = std::ranges::find(updated_, array.extents, &Update::whole);
      kernel.writes.push_back(operand_of(part == updated_.end() ? array : part->part));
      if (part != updated_.end()) updated_.erase(part);
    }
  }

 private:
  struct Update {
    std::vector<std::int64_t> whole;
    ArrayType part;
    std::string_view into;  // the parameter that is written in place
  };

  static bool slices(std::string_view opcode) {
    return opcode == "dynamic-slice" || opcode == "slice" || opcode == "gather";
  }

  static bool names_anew(std::string_view opcode) {
    return opcode == "bitcast" || opcode == "convert" || opcode == "copy";
  }

  // A fusion within, over the memory of its operand, that copies it: the same array in other tiles.
  bool tiles_anew(const Instruction& one) const {
    const std::string_view called = one.called("calls");
    if (one.opcode != "fusion" || one.operands.size() != 1 || called.empty()) return false;
    if (one.find("output_to_operand_aliasing").empty()) return false;
    const Computation& inner = module_.computation(called, one);
    const Instruction* from = inner.root();
    for (int step = 0; from != nullptr && names_anew(from->opcode) && step < deepest_call; ++step) {
      from = from->operands.empty() ? nullptr : inner.find(from->operands[0]);
    }
    return from != nullptr && from->opcode == "parameter";
  }

  // Behind what only names an array anew.
  const Instruction* source(std::string_view name) const {
    const Instruction* one = inside_->find(name);
    for (int step = 0; one != nullptr && step < deepest_call; ++step) {
      const bool same = names_anew(one->opcode) || tiles_anew(*one);
      if (!same || one->operands.empty()) break;
      one = inside_->find(one->operands[0]);
    }
    return one;
  }

  void find_updates() {
    for (const Instruction& one : inside_->instructions) {
      if (one.opcode != "dynamic-update-slice" || one.operands.size() < 2) continue;
      const Instruction* const into = source(one.operands[0]);
      const Instruction* const part = inside_->find(one.operands[1]);
      if (into == nullptr || part == nullptr || part->type.arrays.empty()) continue;
      if (into->opcode != "parameter" || one.type.arrays.empty()) continue;
      updated_.push_back({one.type.arrays[0].extents, part->type.arrays[0], into->name});
      in_place_.insert(into->name);
    }
  }

  void read(std::size_t operand, const Instruction& from, KernelWork& kernel) const {
    if (from.type.arrays.empty() || !from.type.arrays[0].in_hbm()) return;
    if (slices(one_.opcode) && operand == 0) {
      for (const ArrayType& part : one_.type.arrays) kernel.reads.push_back(operand_of(part));
      return;
    }
    const Instruction* const parameter = inside_ != nullptr ? inside_->parameter(operand) : nullptr;
    if (parameter != nullptr && in_place_.contains(parameter->name)) return;
    std::vector<Operand> parts;
    int looks = 1000;  // computations may lead to the same one again and again
    const bool in_parts = parameter != nullptr && slices_of(*inside_, *parameter, parts, looks);
    if (in_parts && !parts.empty()) {
      std::ranges::move(parts, std::back_inserter(kernel.reads));
      return;
    }
    for (const ArrayType& array : from.type.arrays) kernel.reads.push_back(operand_of(array));
  }

  // The parts of an array that are read, also in fusions within; false if it is read as a whole.
  bool slices_of(const Computation& in, const Instruction& array, std::vector<Operand>& parts,
                 int& looks) const {
    if (--looks < 0) return false;
    const auto reads_parts = [&](const Instruction& reader) {
      const auto used = std::ranges::find(reader.operands, array.name);
      if (used == reader.operands.end()) return true;
      if (reader.opcode == "bitcast" || tiles_anew(reader))
        return slices_of(in, reader, parts, looks);
      const auto operand = static_cast<std::size_t>(used - reader.operands.begin());
      const std::string_view called = reader.called("calls");
      if (reader.opcode == "fusion" && !called.empty()) {
        const Computation& inner = module_.computation(called, reader);
        const Instruction* const parameter = inner.parameter(operand);
        return parameter != nullptr && slices_of(inner, *parameter, parts, looks);
      }
      if (!slices(reader.opcode) || operand != 0) return false;
      if (!reader.type.arrays.empty()) parts.push_back(operand_of(reader.type.arrays[0]));
      return true;
    };
    return std::ranges::all_of(in.instructions, reads_parts);
  }

  const Module& module_;
  const Computation& in_;
  const Instruction& one_;
  const Computation* inside_ = nullptr;
  std::vector<Update> updated_;
  std::set<std::string_view> in_place_;
};

}  // namespace

Operand operand_of(const ArrayType& type) {
  std::vector<std::int64_t> extents = type.laid_out();
  while (extents.size() > Shape::max_rank) {
    extents[1] *= extents[0];
    extents.erase(extents.begin());
  }
  return {.shape = Shape(std::span<const std::int64_t>(extents)), .dtype = type.dtype};
}

Work work_of(const Module& module, const Computation& in, const Instruction& instruction,
             std::int64_t& visits) {
  Work work;
  if (const auto sent = collective_of(in, instruction)) {
    work.kernel.items.emplace_back(*sent);
  } else if (!is_collective(instruction.opcode)) {
    Inside(module, work, visits).add(in, instruction, 0);
    Crossing(module, in, instruction).add_to(work.kernel);
  }
  return work;
}

}  // namespace tpulab::hlo
