#include "engine/formats/chrome_trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "engine/base/text.h"

namespace tpulab {

namespace {

using Json = nlohmann::ordered_json;

enum Track : int { host = 1, loader = 2, first_group = 3 };
enum Line : int { only = 1, kernels = 2, sent = 2 };

double microseconds(Picoseconds time) { return in_seconds(time) * 1e6; }

// Added to the beginning by whoever reads it, it comes to no more than the end.
double length(double start, double end) {
  double found = end - start;
  while (start + found > end) found = std::nextafter(found, 0.0);
  return found;
}

class Writer {
 public:
  explicit Writer(const Machine& machine) : machine_(machine) {}

  void name_tracks(const std::vector<DeviceGroup>& groups) {
    alone_ = groups.size() == 1;
    device_factor_ = groups[0].device_factor;
    name_process(host, fmt::format("host ({})", machine_.host->name));
    name_process(loader, "loader, in the background");
    name_thread(loader, only, "makes batches");
    name_thread(loader, sent, "sends them while the next are made");
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const int track = first_group + static_cast<int>(g);
      name_process(track, fmt::format("{} of {}{}",
                                      count_with(std::ssize(groups[g].devices),
                                                 machine_.slice.device_word()),
                                      machine_.slice.name, g == 0 ? "" : ", slower"));
      name_thread(track, only, "where its time goes");
      if (alone_) name_thread(track, kernels, "kernels");
    }
  }

  void add(const StepTimeline& step) {
    const Json facts{{"step", step.step}, {"kind", tpulab::name_of(step.kind)}};
    for (const TimedEvent& timed : step.events) add(timed, facts);
    for (std::size_t g = 0; g <= step.others.size(); ++g) {
      for (const Piece& piece : step.lane(g).device) {
        event(first_group + static_cast<int>(g), only, tpulab::name_of(piece.share), piece.start,
              piece.end, facts);
      }
    }
  }

  std::string text() && { return std::move(out_) + "\n]}\n"; }
  std::int64_t events() const { return events_; }

 private:
  void add(const TimedEvent& timed, const Json& step) {
    const Event& what = *timed.event;
    Json facts = step;
    if (what.count > 0) facts["count"] = what.count;
    if (what.sent.value > 0) facts["sent bytes"] = what.sent.value;
    if (what.received.value > 0) facts["received bytes"] = what.received.value;
    if (!what.cause.empty()) facts["cause"] = what.cause;
    if (timed.waited.count() > 0) facts["waited us"] = microseconds(timed.waited);
    const std::string_view kind = tpulab::name_of(what.kind);
    const std::string name =
        what.name.empty() ? std::string(kind) : fmt::format("{}: {}", kind, what.name);
    event(host, only, name, timed.start, timed.end, facts);
    if (in_background(what.kind) && timed.cpu.count() > 0) {
      event(loader, only, "rows of one batch", timed.began, timed.began + timed.cpu, facts);
      event(loader, sent, "one batch on its way", timed.finished - timed.upload, timed.finished,
            facts);
    }
    if (what.kind == EventKind::dispatch && alone_) add_kernels(what, timed.finished, step);
  }

  void add_kernels(const Event& dispatch, Picoseconds finished, const Json& step) {
    const Program& program = *dispatch.program;
    const ProgramPrice& priced = prices_.of(dispatch.program, machine_).price;
    const auto times = kernel_times(priced, finished, device_factor_);
    const Picoseconds first = times.empty() ? finished : times.front().start;
    event(first_group, kernels, "start of " + dispatch.name,
          first - scaled(priced.start, device_factor_), first, step);
    for (std::size_t k = 0; k < times.size(); ++k) {
      Json facts = step;
      facts["program"] = dispatch.name;
      if (program.kernels[k].runs > 1) facts["runs"] = program.kernels[k].runs;
      event(first_group, kernels, program.kernels[k].name, times[k].start, times[k].end, facts);
    }
  }

  void event(int process, int thread, std::string_view name, Picoseconds start, Picoseconds end,
             const Json& facts) {
    if (end <= start) return;
    ++events_;
    add_line({{"name", name},
              {"ph", "X"},
              {"ts", microseconds(start)},
              {"dur", length(microseconds(start), microseconds(end))},
              {"pid", process},
              {"tid", thread},
              {"args", facts}});
  }

  void name_process(int process, const std::string& name) {
    add_line({{"name", "process_name"}, {"ph", "M"}, {"pid", process}, {"args", {{"name", name}}}});
  }
  void name_thread(int process, int thread, const std::string& name) {
    add_line({{"name", "thread_name"},
              {"ph", "M"},
              {"pid", process},
              {"tid", thread},
              {"args", {{"name", name}}}});
  }

  void add_line(const Json& line) {
    out_ += out_.empty() ? "{\"displayTimeUnit\": \"ms\", \"otherData\": {\"clock\": \"TPU time "
                           "(estimated)\"}, \"traceEvents\": [\n"
                         : ",\n";
    out_ += line.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  const Machine& machine_;
  std::string out_;
  std::int64_t events_ = 0;
  bool alone_ = true;  // nobody waits for others inside a program: its kernels follow each other
  double device_factor_ = 1;
  ProgramPrices prices_;
};

}  // namespace

ChromeTrace chrome_trace(std::span<const StepTimeline> steps, const Machine& machine) {
  Writer writer(machine);
  writer.name_tracks(device_groups(machine));
  for (const StepTimeline& step : steps) writer.add(step);
  const std::int64_t events = writer.events();
  return {.json = std::move(writer).text(), .events = events};
}

}  // namespace tpulab
