#include "engine/formats/hlo/turn_parts.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "engine/formats/among.h"
#include "engine/formats/hlo/axes_kept.h"

namespace tpulab::hlo {

namespace {

constexpr std::int64_t most_looked_at = 4'000'000;  // instructions and trails
constexpr int deepest_computation = 64;

// Also of what is taken.
constexpr std::array<std::string_view, 10> movements{
    "copy",    "copy-start", "copy-done", "bitcast", "reshape",
    "convert", "transpose",  "slice",     "reverse", "opt-barrier"};
constexpr std::array<std::string_view, 3> stretches{"broadcast", "pad", "concatenate"};
// Whose result may have the shape of an operand all the same.
constexpr std::array<std::string_view, 6> work{"dot",         "convolution",          "scatter",
                                               "custom-call", "dynamic-update-slice", "all-reduce"};

IndexAxes axes_of(const Instruction& gather) {
  return {.windows = numbers_in(gather.find("offset_dims")),
          .map = numbers_in(gather.find("start_index_map")),
          .sizes = numbers_in(gather.find("slice_sizes"))};
}

const Trail* some_of(const Trails& all) {
  const auto found = std::ranges::find_if(all, &Trail::some);
  return found == all.end() ? nullptr : &*found;
}

// Element by element.
bool is_alike(const Computation& in, const Instruction& one) {
  const Instruction* const first = one.operands.empty() ? nullptr : in.find(one.operands[0]);
  return first != nullptr && shape_of(one.type) == shape_of(first->type) &&
         !among(work, one.opcode);
}

// Without chance: a generator draws others each time.
bool repeats_itself(const Computation& in, const Instruction& one) {
  const bool plain =
      among(movements, one.opcode) || among(stretches, one.opcode) || is_alike(in, one);
  return plain && !one.opcode.starts_with("rng");
}

// Whether a turn gives the next one what it was given.
bool hands_on(const Computation& body, std::size_t index) {
  const Instruction* const root = body.root();
  if (root == nullptr || root->opcode != "tuple" || index >= root->operands.size()) return false;
  const Instruction* const next = body.find(root->operands[index]);
  return next != nullptr && next->opcode == "get-tuple-element" &&
         first_number(next->find("index"), -1) == static_cast<std::int64_t>(index);
}

// Elements that a turn reads of what another one left.
std::set<std::int64_t> elements_read(const Computation& body) {
  std::set<std::string_view> names;
  for (const Instruction& one : body.instructions) {
    if (!one.root) names.insert(one.operands.begin(), one.operands.end());
  }
  std::set<std::int64_t> read;
  for (const Instruction& one : body.instructions) {
    const bool element = one.opcode == "get-tuple-element" && names.contains(one.name);
    if (element) read.insert(first_number(one.find("index"), -1));
  }
  return read;
}

class PartReader {
 public:
  PartReader(const Module& module, const PartsAsked& which)
      : module_(module), which_(which), reads_(which) {}

  std::vector<TurnPart> run(const Computation& entry) && {
    const std::vector<bool>& asked = which_.asked;
    std::map<std::int64_t, Trails> given;
    for (const Instruction& one : entry.instructions) {
      if (one.opcode != "parameter" || one.operands.empty()) continue;
      given.emplace(first_number(one.operands[0], -1), Trails(one.type.arrays.size()));
    }
    std::size_t at = 0;
    for (auto& [number, arrays] : given) {
      for (Trail& one : arrays) {
        if (at < asked.size() && asked[at]) one.argument = static_cast<int>(at);
        if (which_.by_devices) one.of_one_device();
        if (at < asked.size()) {
          one.value = reads_.graph().add_argument(static_cast<int>(at), which_.types[at].shape);
        }
        ++at;
      }
    }
    const Trails returned = walk(entry, given);
    return left_ < 0 ? std::vector<TurnPart>(asked.size()) : reads_.parts(returned);
  }

 private:
  using Given = std::map<std::int64_t, Trails>;  // by number of parameter
  using Names = std::map<std::string_view, Trails>;

  Trails walk(const Computation& in, const Given& given) {
    if (depth_ == deepest_computation) return {};
    ++depth_;
    Names names;
    for (const Instruction& one : in.instructions) {
      left_ -= 1 + std::ssize(one.type.arrays);
      if (left_ < 0) break;
      Trails made = one.opcode == "parameter" ? parameter(one, given) : step(in, one, names);
      left_ -= std::ssize(made);
      made.resize(one.type.arrays.size());
      if (!is_followed(one)) note_rows(in, one, names, made);
      names[one.name] = std::move(made);
    }
    --depth_;
    const Instruction* const root = in.root();
    return root == nullptr ? Trails() : std::move(names[root->name]);
  }

  // What is inside of it, or of a tuple.
  static bool is_followed(const Instruction& one) {
    constexpr std::array<std::string_view, 7> opcodes{
        "parameter", "tuple", "get-tuple-element", "while", "fusion", "call", "conditional"};
    return among(opcodes, one.opcode);
  }

  void note_rows(const Computation& in, const Instruction& one, const Names& names, Trails& made) {
    for (Trail& each : made) {
      each.rows.clear();
      each.value = RowGraph::none;
    }
    Trails operands;  // the first array of each
    bool some = false;
    for (const std::string_view name : one.operands) {
      const auto found = names.find(name);
      const bool known = found != names.end() && !found->second.empty();
      operands.push_back(known ? found->second.front() : Trail());
      some |= !operands.back().rows.empty();
      if (one.opcode == "opt-barrier" && known && found->second.size() == made.size()) {
        for (std::size_t i = 0; i < made.size(); ++i) {
          made[i].rows = found->second[i].rows;
          made[i].value = found->second[i].value;
        }
        return;
      }
    }
    if (made.empty() || operands.empty()) return;
    const Instruction* const first = in.find(one.operands[0]);
    const Shape from = first == nullptr ? Shape() : shape_of(first->type);
    const Shape to = shape_of(one.type);
    const auto axis_of = [&](std::size_t operand, int axis) {
      return axis_in_result(in, one, operand, axis);
    };
    std::vector<int> values;
    for (const Trail& each : operands) values.push_back(each.value);
    const int value = reads_.graph().add(row_step(one), to, values, axis_of);
    for (Trail& each : made) each.value = value;
    const bool written = one.opcode == "slice";
    if (written || one.opcode == "dynamic-slice") {
      const std::int64_t index = first_number(one.find("slice"), 0);
      made[0].rows = reads_.kinds().sliced(operands[0].rows, from, to,
                                           written ? std::optional(index) : std::nullopt);
    } else if (some) {
      const auto apart = [&](std::size_t operand) { return lies_apart(in, one, operand); };
      made[0].rows = reads_.together(operands, {to, axis_of, lays_beside(one), apart});
    }
  }

  static RowStep row_step(const Instruction& one) {
    constexpr std::array<std::string_view, 10> others{
        "dot",  "convolution", "scatter",       "custom-call",        "gather",
        "sort", "fft",         "reduce-window", "select-and-scatter", "all-to-all"};
    if (one.opcode == "slice" || one.opcode == "dynamic-slice") return RowStep::cuts;
    if (lays_beside(one)) return RowStep::lays;
    if (one.opcode == "add") return RowStep::adds;
    if (one.opcode == "select" || among(movements, one.opcode)) return RowStep::keeps;
    return among(others, one.opcode) ? RowStep::other : RowStep::flows;
  }

  static Trails parameter(const Instruction& one, const Given& given) {
    const auto found = given.find(one.operands.empty() ? -1 : first_number(one.operands[0], -1));
    return found == given.end() ? Trails() : found->second;
  }

  Trails step(const Computation& in, const Instruction& one, const Names& names) {
    if (one.opcode == "get-tuple-element") return element(in, one, names);
    Given operands;
    Trails all;
    for (std::size_t i = 0; i < one.operands.size(); ++i) {
      const auto found = names.find(one.operands[i]);
      if (found == names.end()) continue;
      left_ -= std::ssize(found->second);
      if (left_ < 0) return {};
      operands[static_cast<std::int64_t>(i)] = found->second;
      all.insert(all.end(), found->second.begin(), found->second.end());
    }
    const Trail* const some = some_of(all);
    const bool constant = !all.empty() && std::ranges::all_of(all, &Trail::constant);
    if (one.opcode == "tuple") return all;
    if (one.opcode == "constant" || one.opcode == "iota") return {Trail{.constant = true}};
    if (one.opcode == "while") return loop(one, operands);
    if (one.opcode == "fusion")
      return walk(module_.computation(one.called("calls"), one), operands);
    if (one.opcode == "call") {
      return walk(module_.computation(one.called("to_apply"), one), operands);
    }
    if (one.opcode == "conditional") return branches(one, operands);
    if (some == nullptr && !constant) return {};
    if (some == nullptr) return {Trail{.constant = repeats_itself(in, one)}};
    return computed(in, one, all, *some);
  }

  static Trails element(const Computation& in, const Instruction& one, const Names& names) {
    const std::string_view of = one.operands.empty() ? std::string_view() : one.operands[0];
    const Instruction* const tuple = in.find(of);
    const auto known = names.find(of);
    const std::int64_t index = first_number(one.find("index"), -1);
    if (tuple == nullptr || known == names.end() || index < 0) return {};
    const Trails& all = known->second;
    const auto& elements = tuple->type.elements;
    if (static_cast<std::size_t>(index) >= elements.size()) return {};
    const std::size_t first = elements[static_cast<std::size_t>(index)];
    if (first + one.type.arrays.size() > all.size()) return {};
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(one.type.arrays.size())};
  }

  Trails loop(const Instruction& one, Given operands) {
    const Computation& body = module_.computation(one.called("body"), one);
    const bool flat = one.type.elements.size() == one.type.arrays.size();
    for (auto& entry : operands) {
      Trails& state = entry.second;
      for (std::size_t i = 0; i < state.size(); ++i) state[i].constant &= flat && hands_on(body, i);
    }
    LoopTurns turns{.of_steps = which_.loops_of_steps.contains(one.line)};
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < one.type.arrays.size(); ++i) {
      const bool kept = flat && hands_on(body, i);
      shapes.push_back(shape_of(one.type.arrays[i]));
      (kept ? turns.kept : turns.changed).push_back(shapes.back());
    }
    reads_.enter_loop(std::move(turns), operands[0], shapes);
    Trails left = walk(body, operands);
    const std::set<std::int64_t> read = elements_read(body);
    for (std::size_t i = 0; i < left.size() && flat; ++i) {
      if (!read.contains(static_cast<std::int64_t>(i))) left[i].rows.clear();
    }
    reads_.leave_loop(left, shapes);
    return left;
  }

  Trails branches(const Instruction& one, const Given& operands) {
    std::vector<Trails> left;
    std::int64_t operand = 1;
    for (const std::string_view name : branches_of(one)) {
      const auto found = operands.find(operand++);
      const Given given{{0, found == operands.end() ? Trails() : found->second}};
      left.push_back(walk(module_.computation(name, one), given));
    }
    return reads_.joined(left);
  }

  // By what the first operand that has a trail is.
  Trails computed(const Computation& in, const Instruction& one, const Trails& all,
                  const Trail& some) {
    const Instruction* const first = in.find(one.operands[0]);
    const Shape from = first == nullptr ? Shape{} : shape_of(first->type);
    const Shape made = shape_of(one.type);
    const bool rows = all[0].some() && from.rank() > 0;
    if (one.opcode == "gather" && rows) {
      return reads_.gathered(all, rows_gathered(axes_of(one), from, made), made.elements());
    }
    if (reads_.in_another_loop()) {
      if (one.opcode != "dynamic-slice" || !rows) return reads_.worked_on(all);
      reads_.read_part(all[0], from, made);
      return reads_.worked_on({all.begin() + 1, all.end()});
    }
    if (one.opcode == "opt-barrier") return all;
    if (one.opcode == "sort" && !some.taken.part) return shuffled(all);
    // A slice of one may stay one row of an array.
    if (one.opcode == "dynamic-slice" && rows) {
      const Trail part = all[0].sliced(from, made);
      if (!part.one || made.rank() < 2) return {part};
      return {part.moved(made, Shape(made.extents().subspan(1)))};
    }
    Trail next = some;
    next.as_given &= same_but_for_ones(from, made);
    if (among(movements, one.opcode)) return {next};
    const bool spreads = is_alike(in, one) || among(stretches, one.opcode);
    if (!spreads || some.taken.part) return reads_.worked_on(all);
    for (const Trail& other : all) {
      if (other.argument != some.argument) reads_.read(other);
    }
    return {next};
  }

  const Module& module_;
  const PartsAsked& which_;
  TurnReads reads_;
  int depth_ = 0;  // of computations
  std::int64_t left_ = most_looked_at;
};

}  // namespace

std::vector<TurnPart> parts_of_turns(const Module& module, const Computation& entry,
                                     const PartsAsked& which) {
  return PartReader(module, which).run(entry);
}

}  // namespace tpulab::hlo
