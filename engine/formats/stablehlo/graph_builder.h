// Module -> graphs: calls are followed, loops run so often as their counter says, moves that a
// device does not make (a transposed operand, a slice of an argument) leave no op.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/module.h"
#include "engine/formats/stablehlo/scopes.h"
#include "engine/formats/stablehlo/segments.h"
#include "engine/formats/stablehlo/source_lines.h"

namespace tpulab::stablehlo {

inline constexpr const char* left_out =
    "shardings left out, so that each device is priced with the whole of the step";

// What an import says beside the program itself.
struct ImportNotes {
  std::map<std::string, std::int64_t> counts;  // `left_out` -> how many
  void add(const std::string& what) { ++counts[what]; }
};

// A whole scalar as far as the text tells: argument `index` of a loop, and so much more.
struct Counter {
  int loop = 0;
  int index = 0;
  std::int64_t more = 0;
};

struct Comparison {
  std::string_view direction{};
  std::optional<Counter> left{};
  std::optional<Counter> right_counter{};
  std::optional<std::int64_t> right{};
  bool alone = true;  // else something else may end the loop before
};

struct Moved;

struct Value {
  int source = -1;
  int version = 0;  // of the source's memory: an older one is there no more
  Type type{};
  std::optional<std::int64_t> known{};  // of a whole scalar
  std::optional<Counter> counter{};
  std::optional<Comparison> comparison{};
  std::shared_ptr<Moved> moved{};  // made when somebody reads it as it is
};

// A move of another value.
struct Moved {
  enum class Kind : std::uint8_t { transposed, reversed, taken };  // taken: from the host's memory
  Kind kind = Kind::transposed;
  Value of{};
  std::vector<std::int64_t> axes{};
  int depth = 1;   // movements that follow each other
  int number = 0;  // of what is taken
};

// Whether it lies in the host's memory.
bool begins_on_host(const Argument& argument);

// `main`, or the only function. Throws Error.
const Function& entry_of(const Module& module);

class GraphBuilder {
 public:
  GraphBuilder(const Module& module, ImportNotes& notes)
      : module_(module), lines_(std::make_shared<SourceLines>(module)), notes_(notes) {}

  // Follows the entry; `loops_of_steps`: their lines. Throws Error with file, line, op and what is
  // missing.
  Segments build(const std::set<int>& loops_of_steps = {});

 private:
  using Scopes = stablehlo::Scopes<Value>;

  // graph_builder.cpp
  std::vector<Value> run(const Region& region, const std::vector<Value>& arguments, Scopes& scopes);
  std::vector<Value> run(const Operation& operation, Scopes& scopes);
  std::vector<Value> lowered(const Operation& operation, std::vector<Value>& operands);
  std::vector<Value> call(const Operation& operation, const std::vector<Value>& operands);
  std::vector<Value> several_results(const Operation& operation, const Call& call);
  void check_shape(const Operation& operation, Tensor made, const Type& written) const;
  [[noreturn]] void refuse(const Operation& operation, std::string_view what) const;
  // And says how many others are like it: of a custom call, those of its target.
  [[noreturn]] void refuse_all(const Operation& operation, std::string_view what,
                               std::string_view target) const;

  // branches.cpp
  struct Longest {
    const Region* region = nullptr;
    std::int64_t not_read = 0;  // branches that are not compared with it
  };
  using LongestOnes = std::map<const Operation*, Longest>;
  // To see how long a branch takes: with values of its own.
  GraphBuilder(const GraphBuilder& outside, ImportNotes& notes);
  std::vector<Value> branch(const Operation& operation, Scopes& scopes);
  const Longest& longest(const Operation& operation, const Scopes& scopes);
  std::optional<double> seconds_of(const Region& region, const Scopes& scopes) const;
  Scopes with_values_of_its_own(const Region& region, const Scopes& scopes);

  // values.cpp
  Segment& here() { return segments_.list.back(); }
  int position() const { return static_cast<int>(segments_.list.size()) - 1; }
  void begin_segment(std::string name);
  Value fresh(const Type& type, int made, bool counted);  // from outside the graphs
  Value kept(Value value);
  Value define(Tensor tensor);
  Value define(Tensor tensor, int segment);
  Tensor use(Value& value);
  int source_of(int segment, NodeId node);
  Tensor materialised(Moved& moved);
  void leave(Value& value);  // a result of a segment: must lie in memory
  Type type_of(const TensorType& written, const Operation& operation);
  bool stored_elsewhere(const Value& value) const;
  Source& source_of(const Value& value) {
    return segments_.sources[static_cast<std::size_t>(value.source)];
  }

  // moves.cpp: operations that need not be computed; nothing if this is none of them
  std::optional<std::vector<Value>> without_work(const Operation& operation,
                                                 std::vector<Value>& operands);
  Value constant_of(const Operation& operation);
  std::vector<Value> behind_barrier(std::vector<Value>& operands);
  std::optional<Value> sliced(const Operation& operation, std::vector<Value>& operands);
  std::optional<Value> written_in_place(const Operation& operation, std::vector<Value>& operands);
  bool may_write(const Value& value);
  std::optional<Value> product(const Operation& operation, std::vector<Value>& operands);
  void learn(const Operation& operation, const std::vector<Value>& operands, Value& result) const;

  // host_memory.cpp
  bool on_host(const Value& value) const;
  bool owned_on_host(const Value& value);
  Value fresh_on_host(const Type& type, bool counted);
  Value sent_to_host(Value& value);
  Value written_on_host(std::vector<Value>& operands);
  Value placed(const Operation& operation, Value& value);
  std::optional<Value> stays_on_host(const Operation& operation, std::vector<Value>& operands);
  void begin_on_host(const Value& initial, int before);

  // collectives.cpp
  std::optional<std::vector<Value>> exchange(const Operation& operation,
                                             std::vector<Value>& operands);

  std::optional<std::vector<Value>> ragged(const Operation& operation,
                                           std::vector<Value>& operands);

  // callbacks.cpp
  std::optional<std::vector<Value>> with_host(const Operation& operation,
                                              std::vector<Value>& operands);

  // loops.cpp
  std::vector<Value> loop(const Operation& operation, std::vector<Value>& operands, Scopes& scopes);
  std::optional<std::vector<Value>> turn_by_turn(const Operation& operation,
                                                 const std::vector<Value>& operands,
                                                 Scopes& scopes);
  Value condition(const Operation& operation, const std::vector<Value>& arguments, Scopes& scopes);
  std::vector<Value> body(const Operation& operation, std::vector<Value>& arguments,
                          Scopes& scopes);
  void repeat(const Operation& operation, int first, std::int64_t trips);
  void add_steps(std::int64_t turns, std::int64_t before);
  Value left_by_loop(const Value& initial, int first);

  const Module& module_;
  std::shared_ptr<SourceLines> lines_;
  ImportNotes& notes_;
  std::shared_ptr<LongestOnes> longest_ = std::make_shared<LongestOnes>();
  Segments segments_;
  std::set<int> loops_of_steps_;
  std::int64_t steps_ = 0;
  std::map<std::pair<int, NodeId>, int> sources_;  // of nodes of segments
  std::int64_t nodes_ = 0;
  std::int64_t handed_on_ = 0;  // values, to functions
  int depth_ = 0;               // of calls
  int loops_ = 0;
  int inside_loops_ = 0;
  int movements_ = 0;  // made
  int barriers_ = 0;
  int taken_from_host_ = 0;
};

}  // namespace tpulab::stablehlo
