// What a recording of somebody's own steps says, in words that several causes ask for.
#pragma once

#include <string>
#include <vector>

#include "engine/advice/diagnosis.h"
#include "engine/runtime/script_steps.h"

namespace tpulab {

// Calls of one name from one place.
struct CallGroup {
  std::string name;    // "aten::bincount"
  std::string at;      // "train.py:18"
  std::string values;  // "float32[32,8]" of the first of them
  std::int64_t calls = 0;
  std::int64_t steps = 0;  // that have one

  std::string text() const;  // "aten::bincount at train.py:18"
};

// How a step's graph differs from that of most steps.
enum class GraphKind : std::uint8_t {
  usual,
  start,          // the first step alone: the optimizer makes its state
  shorter_batch,  // fewer rows
  shapes,
  numbers,  // Python's whole numbers, as bounds of a slice
  calls
};

// Steps with the same graph: same calls, shapes, and whole numbers that are part of a program.
struct ScriptGraph {
  GraphKind kind = GraphKind::usual;
  std::int64_t first = 0;  // step
  std::int64_t steps = 0;
  bool by_optimizer = false;  // that which comes as well
  std::string difference{};   // the first one: "aten::addmm float32[20,8] instead of ..."
};

struct ScriptFacts {
  std::int64_t steps = 0;
  std::int64_t calls = 0;  // of a usual step
  std::int64_t cuts = 0;   // within it; the sync at its end is none
  bool on_cpu = false;     // where it was recorded: then all tensors are taken for the device's
  std::vector<CallGroup> reads;      // of scalars
  std::vector<CallGroup> downloads;  // of whole tensors
  std::vector<CallGroup> fallbacks;  // never lowered, of a fixed shape
  std::vector<CallGroup> dynamic;    // the shape depends on values
  std::vector<CallGroup> uploads;
  std::vector<ScriptGraph> graphs;  // the usual one first, the others as they come
};

ScriptFacts facts_of(const ScriptSteps& script);

// A line a group, as evidence: "aten::bincount at train.py:18: 6 times in 6 steps, the first of
// int64[32]"; with what would be lowered in its place, if that is asked for.
enum class Instead : std::uint8_t { untold, told };
std::vector<std::string> evidence_of(const std::vector<CallGroup>& groups, std::int64_t steps,
                                     Instead instead = Instead::untold);
// How many of the steps have one of them, at most 1.
double share_of_steps(const std::vector<CallGroup>& groups, std::int64_t steps);
// There are no times in it either.
inline constexpr auto found_in_script = found_in_report;

}  // namespace tpulab
