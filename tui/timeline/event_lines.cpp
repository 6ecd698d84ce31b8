#include "tui/timeline/event_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"

namespace tpulab {

std::vector<std::string> compile_lines(const Snapshot& now, const CompileEvent& event) {
  std::vector<std::string> lines{
      fmt::format("{} of TPU time (est.) in which the host waits; a graph of {} nodes.",
                  text_of(event.time), text_with_commas(event.nodes)),
      "", event.loaded ? "Why it was not in memory:" : "Why the cache had no program for it:"};
  const std::vector<std::string> brief{event.cause};
  for (const std::string& one : event.differences ? *event.differences : brief) {
    lines.push_back("  " + one);
  }
  lines.emplace_back();
  lines.push_back(fmt::format("In this run {} compiled in {}, {} came from the cache.",
                              count_with(now.compiles.compiled, "program"),
                              text_of(now.compiles.total), text_with_commas(now.compiles.cached)));
  lines.emplace_back("`help compile` says what makes a new program, `advise` what to do.");
  return lines;
}

bool only_reads(const FallbackRow& row) { return row.cpu == Picoseconds{}; }

Picoseconds total_of(const FallbackRow& row) { return row.download + row.cpu + row.upload; }

std::vector<std::string> fallback_lines(const FallbackRow& row) {
  const Picoseconds total = total_of(row);
  const auto each = [&row](Picoseconds time) {
    return text_of(Picoseconds(time.count() / std::max<std::int64_t>(1, row.count)));
  };
  return {
      fmt::format("{} of it cost {} of TPU time (est.), {} each.", count_with(row.count, "call"),
                  text_of(total), each(total)),
      fmt::format("  waits for programs {:>10}   {} each", text_of(row.waited), each(row.waited)),
      fmt::format("  down to the host   {:>10}   {} each", text_of(row.download - row.waited),
                  each(row.download - row.waited)),
      fmt::format("  on the CPU         {:>10}   {} each", text_of(row.cpu), each(row.cpu)),
      fmt::format("  up to the TPU      {:>10}   {} each", text_of(row.upload), each(row.upload)),
      "",
      "Why: " + row.why,
      "Instead: " + row.instead,
      "",
      "`help fallback` says how a step is cut there, `advise` what leaving it out gains."};
}

FallbackCounts counts_of(const std::vector<FallbackRow>& rows) {
  FallbackCounts counts;
  for (const FallbackRow& row : rows) {
    (only_reads(row) ? counts.reads : counts.ops) += row.count;
  }
  return counts;
}

}  // namespace tpulab
