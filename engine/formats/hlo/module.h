// Optimised HLO text as the compiler prints it: computations, their instructions in scheduled
// order, attributes as raw text. All string_views look into Module::text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/dtype.h"
#include "engine/base/units.h"

namespace tpulab::hlo {

// "bf16[32,1024]{1,0:T(8,128)(2,1)S(1)}". An element of another type than DType's is held as one
// of as many bytes.
struct ArrayType {
  DType dtype = DType::f32;
  bool of_words = false;  // u32
  bool fp8 = false;
  std::vector<std::int64_t> extents{};
  std::vector<std::int64_t> order{};  // axes, the one along the lanes first
  std::vector<std::int64_t> tile{};   // of the innermost axes, the lanes last; empty: none
  int space = 0;  // S(..): 0 is HBM, 1 the vector memory of a core, 5 the host's memory

  std::int64_t elements() const;
  bool in_hbm() const { return space == 0; }
  bool on_host() const { return space == 5; }
  // Extents as they lie in memory, outermost first.
  std::vector<std::int64_t> laid_out() const;
  Bytes bytes() const;
  Bytes stored() const;  // padded to whole tiles
};

// An array, or the arrays of a tuple: those of a tuple inside come one after the other.
struct ResultType {
  std::vector<ArrayType> arrays{};
  std::vector<std::size_t> elements{};  // of a tuple: where each begins in `arrays`

  // The arrays of one element.
  std::vector<ArrayType> element(std::size_t index) const;
};

struct Instruction {
  std::string_view name{};
  ResultType type{};
  std::string_view opcode{};
  std::vector<std::string_view> operands{};  // names; of a parameter its number
  std::string_view attributes{};             // ", calls=%fused, metadata={..}"
  int line = 0;
  bool root = false;

  // The raw value of an attribute, empty if there is none: "kind" -> "kLoop".
  std::string_view find(std::string_view key) const;
  // The computation that it calls so, without its %.
  std::string_view called(std::string_view key) const;
};

struct Computation {
  std::string_view name{};
  std::vector<Instruction> instructions{};
  std::map<std::string_view, std::size_t> places{};

  // Null for a name that is not there.
  const Instruction* find(std::string_view name) const;
  const Instruction* parameter(std::size_t number) const;
  const Instruction* root() const;
};

struct Module {
  std::string text{};
  std::string file{};
  std::string_view header{};  // "HloModule jit_step, is_scheduled=true, ..."
  std::map<std::string_view, Computation> computations{};
  std::string_view entry{};

  // Throws Error with file and line of `by` for one that is not there.
  const Computation& computation(std::string_view name, const Instruction& by) const;
  [[noreturn]] void refuse(int line, std::string_view what) const;
};

// The computations of a conditional; of another instruction none.
std::vector<std::string_view> branches_of(const Instruction& one);

// A result of the entry that takes over the memory of a parameter.
struct Alias {
  std::size_t result = 0;  // element of the root's tuple
  std::int64_t parameter = 0;
};
std::vector<Alias> aliases_of(const Module& module);

// The value of `key` in a list of attributes, brackets and quotes balanced; empty if it is not
// there.
std::string_view attribute(std::string_view list, std::string_view key);
// All whole numbers in a text, at most `longest`.
inline constexpr std::size_t longest_list = 4096;
std::vector<std::int64_t> numbers_in(std::string_view text);
// The first of them.
std::int64_t first_number(std::string_view text, std::int64_t otherwise);
// Between the first quotation mark and the last; empty without two.
std::string_view unquoted(std::string_view text);
// Instructions that one import looks at; more are computations that call each other in every way.
inline constexpr std::int64_t most_visits = 10'000'000;

}  // namespace tpulab::hlo
