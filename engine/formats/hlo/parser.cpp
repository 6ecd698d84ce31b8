#include "engine/formats/hlo/parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "engine/base/error.h"
#include "engine/formats/element_types.h"
#include "engine/formats/hlo/opcodes.h"
#include "engine/formats/hlo/scanner.h"

namespace tpulab::hlo {

namespace {

constexpr int deepest_tuple = 32;
constexpr double most_elements = 0x1p48;  // as of a Shape
constexpr double most_padded = 1e18;

bool name_begins(std::string_view line) {
  return line.starts_with("%") || line.starts_with("ROOT ");
}

class Parser {
 public:
  explicit Parser(Module& module) : module_(module), scan_(module.text) {}

  void run() {
    module_.header = next_line();
    check_is_for_tpus();
    while (position_ < module_.text.size()) {
      const std::size_t begin = position_;
      const std::string_view line = next_line();
      if (opens_computation(line)) {
        computation(line);
      } else if (line.find(" = ") != std::string_view::npos && line.starts_with(' ')) {
        refuse("an instruction outside of a computation", begin);
      }
    }
    if (module_.entry.empty()) refuse("there is no ENTRY computation: the text is cut short", 0);
  }

 private:
  std::string_view next_line() {
    scan_.go_to(position_);
    const std::string_view line = scan_.line();
    position_ = scan_.position();
    ++line_;
    return line;
  }

  // The TPU compiler alone lays arrays out in tiles; a CPU's and a GPU's have plain layouts.
  void check_is_for_tpus() const {
    const std::string_view given = attribute(module_.header, "entry_computation_layout");
    if (given.find('[') == std::string::npos) return;
    if (module_.text.find(":T(") != std::string::npos) return;
    refuse(
        "no array lies in tiles, T(..): this was not compiled for a TPU; compile it for one "
        "(`help import` says how), or give its StableHLO: .as_text() before .compile()");
  }

  // "%fused (p: f32[8]) -> f32[8] {", or "fused {" as texts that are dumped to be short have it.
  static bool opens_computation(std::string_view line) {
    if (line.empty() || line.front() == ' ' || line.starts_with("HloModule ")) return false;
    const std::size_t last = line.find_last_not_of(' ');
    return last != std::string_view::npos && line[last] == '{';
  }

  void computation(std::string_view line) {
    const bool entry = line.starts_with("ENTRY ");
    Scanner head(line.substr(entry ? 6 : 0));
    head.accept("%");
    Computation made{.name = head.until("( {")};
    bool ends = false;
    while (position_ < module_.text.size()) {
      std::string_view inside = next_line();
      ends = inside.starts_with('}');
      if (ends) break;
      inside.remove_prefix(std::min(inside.find_first_not_of(' '), inside.size()));
      if (name_begins(inside) || inside.find(" = ") != std::string_view::npos) {
        instruction(inside, made);
      }
    }
    if (!ends) refuse(fmt::format("'{}' does not end: the text is cut short", made.name));
    check_is_whole(made);
    if (entry) module_.entry = made.name;
    const std::string_view name = made.name;
    module_.computations[name] = std::move(made);
  }

  // What is not there would be priced as nothing.
  void check_is_whole(const Computation& made) const {
    for (const Instruction& one : made.instructions) {
      if (one.opcode == "constant" || one.opcode == "parameter") continue;
      for (const std::string_view operand : one.operands) {
        if (made.places.contains(operand)) continue;
        module_.refuse(one.line, fmt::format("{} reads '{}', which '{}' does not make", one.name,
                                             operand, made.name));
      }
      if (one.opcode == "transpose") check_transpose(made, one);
    }
    if (std::ranges::find(made.instructions, true, &Instruction::root) == made.instructions.end()) {
      refuse(fmt::format("'{}' has no ROOT", made.name));
    }
  }

  void check_transpose(const Computation& made, const Instruction& one) const {
    const Instruction* const from = one.operands.empty() ? nullptr : made.find(one.operands[0]);
    if (from == nullptr || from->type.arrays.empty() || one.type.arrays.empty()) return;
    const std::vector<std::int64_t>& extents = from->type.arrays[0].extents;
    const std::vector<std::int64_t>& moved = one.type.arrays[0].extents;
    const std::vector<std::int64_t> axes = numbers_in(one.find("dimensions"));
    bool fits = axes.size() == extents.size() && axes.size() == moved.size();
    for (std::size_t i = 0; fits && i < axes.size(); ++i) {
      fits = axes[i] >= 0 && axes[i] < std::ssize(extents) &&
             std::ranges::count(axes, axes[i]) == 1 &&
             extents[static_cast<std::size_t>(axes[i])] == moved[i];
    }
    if (fits) return;
    module_.refuse(one.line,
                   fmt::format("{}: axes {} of [{}] make no [{}]", one.name, fmt::join(axes, ","),
                               fmt::join(extents, ","), fmt::join(moved, ",")));
  }

  void check_opcode(std::string_view word) const {
    if (is_opcode(word)) return;
    const std::string near = nearest_opcode(word);
    refuse(fmt::format("'{}' is no operation of HLO{}", word,
                       near.empty() ? "" : fmt::format("; '{}' is", near)));
  }

  void instruction(std::string_view text, Computation& into) {
    const int line = line_;
    Scanner scan(text);
    Instruction made{.line = line, .root = scan.accept("ROOT ")};
    scan.accept("%");
    made.name = scan.until("=");
    if (!scan.accept("=")) refuse("an instruction has no =");
    result_type(scan, made.type, 0);
    made.opcode = scan.until("(");
    if (made.opcode.empty() || scan.peek() != '(') refuse("an instruction has no operation");
    check_opcode(made.opcode);
    // What is written over several lines, as a constant may be, is looked for in the whole text.
    const auto offset = static_cast<std::size_t>(text.data() - module_.text.data());
    scan_.go_to(offset + scan.position());
    operands(scan_.balanced(), made);
    const std::size_t behind = scan_.position();
    made.attributes = scan_.line();
    if (behind > position_) {
      const auto skipped = std::string_view(module_.text).substr(position_, behind - position_);
      line_ += static_cast<int>(std::ranges::count(skipped, '\n')) + 1;
      position_ = scan_.position();
    }
    into.places[made.name] = into.instructions.size();
    into.instructions.push_back(std::move(made));
  }

  // "(f32[8]{0} %a, %b)", "(3)"
  static void operands(std::string_view list, Instruction& made) {
    if (list.size() < 2) return;
    if (made.opcode == "constant") {
      made.operands.push_back(list.substr(1, list.size() - 2));
      return;
    }
    Scanner scan(list.substr(1, list.size() - 2));
    while (!scan.at_end()) {
      std::string_view word = scan.value();
      if (!scan.at_end() && scan.peek() != ',') word = scan.value();  // its type stood before
      if (word.starts_with('%')) word.remove_prefix(1);
      if (!word.empty()) made.operands.push_back(word);
      if (!scan.accept(",")) scan.skip_one();
    }
  }

  void result_type(Scanner& scan, ResultType& type, int depth) {
    if (depth > deepest_tuple) refuse("tuples lie in each other too deeply");
    if (!scan.accept("(")) return array_type(scan, type);
    while (!scan.at_end() && !scan.accept(")")) {
      if (depth == 0) type.elements.push_back(type.arrays.size());
      result_type(scan, type, depth + 1);
      scan.accept(",");
    }
  }

  void array_type(Scanner& scan, ResultType& type) {
    const std::string_view element = scan.until("[{(,)");
    if (!scan.accept("[")) refuse(fmt::format("'{}' is no type", element));
    const std::string_view extents = scan.until("]");
    if (!scan.accept("]")) refuse(fmt::format("the type {}[{} has no end", element, extents));
    if (extents.find_first_of("<?") != std::string_view::npos) {
      refuse(fmt::format("{}[{}] has a shape that is known only at run time", element, extents));
    }
    ArrayType array{.extents = numbers_in(extents)};
    const bool held = hold(element, array);
    layout(scan, array);
    if (!held) return;
    double padded = 1;
    for (const std::int64_t extent : array.tile) padded *= static_cast<double>(extent);
    if (padded * static_cast<double>(std::max<std::int64_t>(array.elements(), 1)) > most_padded) {
      refuse("an array with tiles larger than any TPU holds");
    }
    type.arrays.push_back(std::move(array));
  }

  // False for what takes no memory: token[].
  bool hold(std::string_view element, ArrayType& array) const {
    if (element == "token" || element == "opaque") return false;
    const std::optional<DType> held = dtype_of_hlo(element);
    if (!held) refuse(not_priced(element));
    array.dtype = *held;
    array.of_words = element == "u32";
    array.fp8 = is_fp8(element);
    double count = 1;
    for (const std::int64_t extent : array.extents) {
      if (extent < 0) refuse("an extent below 0");
      count *= static_cast<double>(std::max<std::int64_t>(extent, 1));
    }
    if (count > most_elements) refuse(fmt::format("an array of {:.1e} elements", count));
    return true;
  }

  // "{1,0:T(8,128)(2,1)S(1)}"; without one the last axis lies along the lanes.
  void layout(Scanner& scan, ArrayType& array) const {
    const std::size_t rank = array.extents.size();
    std::string_view text;
    if (scan.peek() == '{') text = scan.balanced();
    array.order = numbers_in(text.substr(0, text.find(':')));
    std::vector<std::int64_t> sorted = array.order;
    std::ranges::sort(sorted);
    bool each_once = sorted.size() == rank;
    for (std::size_t i = 0; each_once && i < rank; ++i) {
      each_once = sorted[i] == static_cast<std::int64_t>(i);
    }
    if (!each_once) {
      array.order.clear();
      for (std::size_t i = rank; i > 0; --i)
        array.order.push_back(static_cast<std::int64_t>(i - 1));
    }
    const auto argument_of = [&](std::string_view key) {
      const std::size_t at = text.find(key, std::min(text.find(':'), text.size()));
      if (at == std::string_view::npos) return std::vector<std::int64_t>();
      return numbers_in(text.substr(at, text.find(')', at) - at));
    };
    array.tile = argument_of("T(");
    for (std::int64_t& extent : array.tile) extent = std::clamp<std::int64_t>(extent, 1, 1 << 20);
    const std::vector<std::int64_t> space = argument_of("S(");
    array.space = space.empty() ? 0 : static_cast<int>(std::clamp<std::int64_t>(space[0], 0, 255));
  }

  [[noreturn]] void refuse(std::string_view what) const { module_.refuse(line_, what); }
  [[noreturn]] void refuse(std::string_view what, std::size_t) const { refuse(what); }

  Module& module_;
  Scanner scan_;
  std::size_t position_ = 0;  // of the next line
  int line_ = 0;
};

}  // namespace

bool is_hlo(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \n\r\t"), text.size()));
  return text.starts_with("HloModule");
}

Module parse(std::string text, const std::string& file) {
  std::erase(text, '\r');  // of line ends as Windows has them
  Module module{.text = std::move(text), .file = file};
  Parser(module).run();
  return module;
}

}  // namespace tpulab::hlo
