// What a metrics report says about steps, in numbers that several causes ask for.
#pragma once

#include <string>
#include <vector>

#include "engine/runtime/counters.h"

namespace tpulab {

struct ReportFacts {
  std::int64_t syncs = 0;       // MarkStep; where it is missing, executions
  std::int64_t executions = 0;  // of programs
  // About: several devices sync twice a batch, reads and fallbacks execute more than once.
  std::int64_t steps = 0;
  // Forward passes, of validation too; 0 where they cannot be told from calls of operations.
  std::int64_t batches = 0;
  std::int64_t beside = 0;        // executions that neither a batch nor a fallback asked for
  std::int64_t items_behind = 0;  // reads that ran no program of their own
  std::int64_t compiles = 0;
  std::int64_t items = 0;      // aten::_local_scalar_dense
  std::int64_t downloads = 0;  // transfers from the device
  std::int64_t fallbacks = 0;  // calls of un-lowered operations
  double compile_seconds = 0;
  // Waits in the queue of the device are in it, as far as it ran at all.
  double execute_seconds = 0;
  double download_seconds = 0;
  double upload_seconds = 0;
  bool queues = false;         // waits in the queue are counted: more time than there was
  double tracing_seconds = 0;  // since 2.2
  // How long the process ran, guessed from the rates of executions and others; 0 if executions tell
  // none.
  double span_seconds = 0;

  // Of the span; where it is not told, of what is told at all. At most 1.
  double share(double seconds) const;
  // Of the span, what no counter explains even if nothing overlaps; 0 where that is not told.
  double unexplained() const;
};

ReportFacts facts_of(const Counters& counters);

struct FallbackCount {
  std::string op;  // "aten::bincount"
  std::int64_t calls = 0;
};
// Un-lowered operations, the most calls first; reads of scalars are none. Dynamic: the shape of
// their result depends on values.
std::vector<FallbackCount> fallbacks_of(const Counters& counters, bool dynamic);

}  // namespace tpulab
