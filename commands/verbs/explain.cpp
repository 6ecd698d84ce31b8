// explain: an estimate as its formula with the numbers filled in.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <set>

#include "commands/answer.h"
#include "commands/ask.h"
#include "commands/estimate_words.h"
#include "commands/explained_run.h"
#include "commands/glossary.h"
#include "commands/kernel_words.h"
#include "commands/table.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/session/answers/speed_ups.h"
#include "engine/session/settings/gpu_settings.h"
#include "engine/session/settings/same_steps.h"
#include "engine/session/settings/setting_meanings.h"
#include "engine/session/settings/setting_values.h"

namespace tpulab::explain_command {

namespace {

constexpr std::string_view usage = "explain [OP | step | core [INDEX]]";

void add_speed_ups(Answer& lines, const Settings& settings, const Estimate& estimated,
                   const std::stop_token& stop) {
  add_line(lines, "one resource twice as fast, all else as it is (simulated again, exact):");
  Table table({"  resource", "step", "difference"});
  std::string nothing;
  for (const SpeedUp& one : speed_ups(settings, 2, stop)) {
    const Picoseconds step = scaled(estimated.step, one.ratio);
    add_row(lines, "explain.speed_up",
            {{"resource", one.resource},
             {"step_seconds", in_seconds(step)},
             {"difference", one.ratio - 1}});
    if (signed_percent(one.ratio) == "0 %") {
      nothing += (nothing.empty() ? "" : ", ") + one.resource;
    } else {
      table.add({"  " + one.resource, text_of(step), signed_percent(one.ratio)});
    }
  }
  add_lines(lines, table.lines());
  if (!nothing.empty()) add_line(lines, "  0 %, not there or beside something longer: " + nothing);
  // What a step does is no resource.
  if (estimated.bound == "read-backs") {
    add_line(lines,
             "  read-backs, the bound: not to be faster, only fewer; the bytes count as the host "
             "link");
  }
}

std::string rate_formula(const Estimate& estimated) {
  return fmt::format("samples/s = rows a step / step = {} / {} = {}", rows_a_step(estimated),
                     text_of(estimated.step), text_of_count(estimated.samples_per_second));
}

// What goes on beside other things has its moments, too, and yet saves nothing.
std::string time_heading(const Estimate& estimated) {
  std::string run = "steady steps";
  if (estimated.follows_run) {
    run = "those that would follow the run, as none of its own is steady";
  } else if (estimated.run) {
    run = fmt::format("all steady ones of the {} that a run with these settings has",
                      count_with(estimated.run->steps, "step"));
  }
  return fmt::format("the time of a step, each moment of a device counted once, of {}:", run);
}

Answer explain_step(const Settings& settings, const std::stop_token& stop) {
  const Estimate estimated = estimate(settings, stop);
  Answer lines;
  add_fields(lines, fields_of(settings, estimated));
  add_parts(lines, estimated);
  add_line(lines, fmt::format("{} on {}, batch {}: step {}; TPU time (estimated)", estimated.model,
                              estimated.machine, estimated.batch, step_with_band(estimated)));
  const double step = in_seconds(estimated.step);
  add_line(lines, time_heading(estimated));
  Table table({"  part", "time", "share"});
  for (const PhaseTime& term : estimated.terms) {
    table.add({"  " + term.name, text_of(term.time), text_of_share(in_seconds(term.time) / step)});
  }
  add_lines(lines, table.lines());
  if (estimated.run && estimated.compile > Picoseconds{}) {
    add_line(lines, fmt::format("not in it: {}, {} of the run's {}; a step that waits for one, as "
                                "the first does, is that much longer",
                                count_with(estimated.run->compiles, "compile"),
                                text_of(estimated.compile), text_of(estimated.run->time)));
  }
  add_line(lines, rate_formula(estimated));
  const double saved = 1 - in_seconds(estimated.next_bound_step) / step;
  add_line(lines, fmt::format("bound: {}, saves {} if free: a step of {}; next behind it: {}",
                              estimated.bound, text_of_share(saved),
                              text_of(estimated.next_bound_step), estimated.next_bound));
  add_speed_ups(lines, settings, estimated, stop);
  return lines;
}

// Which devices an explanation is of: "core 5 of v3-8", "7 alike cores of v3-8, each".
std::string subject(const Estimate& of, const AlikeEstimate& alike,
                    std::optional<std::int64_t> device) {
  if (device || alike.devices.size() == 1) {
    return fmt::format("{} {} of {}", of.device, device.value_or(alike.devices.front()),
                       of.machine);
  }
  return fmt::format("{} alike {}s of {}, each", alike.devices.size(), of.device, of.machine);
}

// Of the largest group without a device. Throws Error for one that has no part in the run.
const AlikeEstimate& alike_with(const Estimate& of, std::optional<std::int64_t> device) {
  if (!device) return of.alike.front();
  const auto found = std::ranges::find_if(of.alike, [&](const AlikeEstimate& one) {
    return std::ranges::binary_search(one.devices, *device);
  });
  if (found != of.alike.end()) return *found;
  if (*device >= of.devices) {
    throw Error(fmt::format("{0} has no {1} {2}; its {1}s are 0 to {3}", of.machine, of.device,
                            *device, of.devices - 1));
  }
  throw Error(fmt::format("{} {} has no part in the run; `devices auto` uses all of {}", of.device,
                          *device, of.machine));
}

// Its own steps end when it does: after those of others, where it is slow.
void add_busy(Answer& lines, const Settings& settings, const Estimate& estimated,
              const AlikeEstimate& alike, Flops useful) {
  const std::string step = text_of(alike.step);
  const bool own = step != text_of(estimated.step);
  add_line(lines,
           fmt::format("duty cycle = time in the program / {} = {} / {} = {}",
                       own ? "its own step" : "step", text_of(scaled(alike.step, alike.duty_cycle)),
                       step, text_of_share(alike.duty_cycle)));
  // Over all steady steps, as everywhere: shorter batches of an epoch's end are among them.
  const std::string rows = rows_a_step(estimated);
  const bool shorter = !fewer_rows(estimated).empty();
  add_line(
      lines,
      fmt::format("useful utilisation = unpadded operations a second / {} = "
                  "{} / {} = {}; its part of a step of {} rows{} has {}",
                  peak_meaning(settings), text_of_count(alike.utilisation * estimated.peak),
                  text_of_count(estimated.peak), text_of_share(alike.utilisation),
                  shorter ? rows : text_with_commas(estimated.global_batch),
                  shorter ? " in the mean" : "", text_of_count(static_cast<double>(useful.value))));
}

Answer explain_core(const Settings& settings, std::optional<std::int64_t> device,
                    const std::stop_token& stop) {
  Estimate estimated = estimate(settings, stop);
  const StepLoad load = estimated_load(settings, stop);
  const AlikeEstimate& alike = alike_with(estimated, device);
  estimated.duty_cycle = alike.duty_cycle;
  estimated.utilisation = alike.utilisation;
  Answer lines;
  add_line(lines, fmt::format("{}, {}, training steps that compile nothing; TPU time (estimated)",
                              subject(estimated, alike, device), estimated.model));
  add_busy(lines, settings, estimated, alike, load.operations);
  const double step = in_seconds(alike.step);
  const Bytes each_second{
      static_cast<std::int64_t>(static_cast<double>(load.traffic.value) / step)};
  const std::string empty =
      load.without_rows.value > 0
          ? fmt::format("; {} of it in turns without rows, whose operations are not useful",
                        text_of(load.without_rows))
          : "";
  add_line(lines, fmt::format("HBM traffic = {} a step, {} a second on average{}",
                              text_of(load.traffic), text_of(each_second), empty));
  add_line(lines, fmt::format("HBM in use = {} of {}", text_of(estimated.hbm_used),
                              text_of(estimated.hbm_limit)));
  add_fields(lines, fields_of(settings, estimated));
  add_fields(lines, {{"device", device.value_or(alike.devices.front())},
                     {"operations", load.operations.value},
                     {"hbm_traffic_bytes", load.traffic.value}});
  return lines;
}

// The ops in the names of the kernels, by name: "layer1: dot+add+3 more" has two.
std::vector<std::string> ops_of(const PricedProgram& program) {
  std::set<std::string> names;
  for (const KernelRow& row : program.kernels) {
    const std::size_t part_of_network = row.name.rfind(": ");
    const std::size_t first = part_of_network == std::string::npos ? 0 : part_of_network + 2;
    for (const std::string& part : split(row.name.substr(first), '+')) {
      if (!part.ends_with(" more")) names.insert(part);
    }
  }
  return {names.begin(), names.end()};
}

[[noreturn]] void refuse(const std::string& op, const PricedProgram& program) {
  const auto value = op.find('=');
  if (value != std::string::npos && find_setting(op.substr(0, value)) != nullptr) {
    throw Error(
        fmt::format("explain looks at the settings as they are; type `{} {}` first, or ask "
                    "`forecast {}`",
                    op.substr(0, value), op.substr(value + 1), op));
  }
  if (op.starts_with("aten::")) {
    throw Error(
        fmt::format("{} is in no kernel: kernels have XLA's names, as dot; what runs on devices "
                    "`metrics` counts as xla::NAME, and under aten:: what ran on the host's CPU "
                    "(`help fallback`)",
                    op));
  }
  constexpr std::size_t shown = 16;
  const std::vector<std::string> words{"step", "core"};
  const std::string near = nearest_name(op, words);
  std::vector<std::string> names = ops_of(program);
  if (!near.empty() && nearest_name(op, names).empty()) {
    throw Error(
        fmt::format("there is no op '{}'; did you mean `explain {}`? usage: {}", op, near, usage));
  }
  const std::string hint = find_word(op) != nullptr ? fmt::format("`help {}` says what it is; ", op)
                                                    : hint_of(op, names);
  const std::size_t rest = names.size() - std::min(names.size(), shown);
  names.resize(names.size() - rest);
  throw Error(fmt::format("'{}' is in no kernel of the {}; {}its ops are {}{}", op, program.title,
                          hint, fmt::join(names, ", "),
                          rest > 0 ? fmt::format(" and {} more", rest) : ""));
}

// By what matrix times are longer than their clocks; empty where one product alone cannot tell.
std::string reached_line(const KernelRow& row) {
  if (row.products.size() != 1 || row.matrix <= Picoseconds{}) return {};
  const ProductTiles& product = row.products.front();
  const double clocks = static_cast<double>(product.clocks) / product.clock_hertz;
  const double reached = clocks / in_seconds(row.matrix);
  if (reached >= 1) return {};
  return fmt::format(
      "matrix = clocks at {:.0f} MHz / {:.3g}: matrix efficiency (`show generation`), in a "
      "training step times kernels in a step (`show stack`)",
      product.clock_hertz / 1e6, reached);
}

// In "stem.conv" and "conv2" stands "conv", and in "convert" it does not.
bool has_word(std::string_view name, std::string_view word) {
  const auto letter = [&](std::size_t at) {
    return at < name.size() && std::isalpha(static_cast<unsigned char>(name[at])) != 0;
  };
  for (std::size_t at = name.find(word); at != name.npos; at = name.find(word, at + 1)) {
    if ((at == 0 || !letter(at - 1)) && !letter(at + word.size())) return true;
  }
  return false;
}

// By whole words where one has it, else by any part of their names.
std::vector<KernelRow> kernels_with(const std::string& op, const PricedProgram& program) {
  std::vector<KernelRow> found;
  const auto take = [&](const auto& has) {
    std::ranges::copy_if(program.kernels, std::back_inserter(found), has);
  };
  take([&](const KernelRow& row) { return has_word(row.name, op); });
  if (found.empty()) take([&](const KernelRow& row) { return row.name.find(op) != row.name.npos; });
  return found;
}

Answer explain_op(const std::string& op, const PricedProgram& program) {
  Answer lines;
  Picoseconds sum{};
  Picoseconds beside{};
  std::string reached;
  const std::vector<KernelRow> found = kernels_with(op, program);
  for (const KernelRow& row : found) {
    sum += row.time * row.runs;
    beside += row.beside;
    add_line(lines, "  " + kernel_line(row));
    for (const ProductTiles& product : row.products) {
      add_line(lines, "    " + tiles_in_brief(product));
    }
    if (reached.empty()) reached = reached_line(row);
    add_row(lines, "explain.kernel",
            {{"kernel", row.name},
             {"runs", row.runs},
             {"seconds", in_seconds(row.time)},
             {"bound", std::string(name_of(row.bound))},
             {"matrix_seconds", in_seconds(row.matrix)},
             {"matrix_with_blocks_seconds", in_seconds(row.matrix + row.blocks)},
             {"vector_seconds", in_seconds(row.vector)},
             {"hbm_seconds", in_seconds(row.hbm)},
             {"links_seconds", in_seconds(row.transfer)},
             {"host_link_seconds", in_seconds(row.host_link)},
             {"operations", row.useful.value},
             {"hbm_bytes", row.traffic.value},
             {"hbm_bytes_again", row.reread.value}});
  }
  if (found.empty()) refuse(op, program);
  if (!reached.empty()) add_line(lines, reached);
  OutputLine head;
  head.fields = {{"program", program.title},
                 {"kernels", std::ssize(found)},
                 {"seconds", in_seconds(sum)},
                 {"program_seconds", in_seconds(program.time)}};
  const std::string hidden =
      beside > Picoseconds{} ? fmt::format(", {} of it beside other kernels", text_of(beside)) : "";
  head.text = fmt::format("{}: {} of {} kernels with '{}', {} of {}{}; TPU time (estimated)",
                          program.title, found.size(), program.kernels.size(), op, text_of(sum),
                          text_of(program.time), hidden);
  lines.insert(lines.begin(), head);
  return lines;
}

std::optional<std::int64_t> device_in(Arguments arguments) {
  if (arguments.size() < 2) return std::nullopt;
  const auto device = whole_number(arguments[1]);
  if (device && *device >= 0) return device;
  throw Error(fmt::format("'{}' is no device's number; example: explain core 0", arguments[1]));
}

Answer with_heading(const Explained& asked, Answer lines) {
  if (asked.whose.empty()) return lines;
  OutputLine head;
  head.text = asked.whose;
  lines.insert(lines.begin(), std::move(head));
  return lines;
}

Reply explain_settings(Arguments arguments, const std::string& what, CommandContext& context) {
  const auto device = device_in(arguments);
  std::string asked = "explain";
  for (const std::string& word : arguments) asked += " " + word;
  return answer(
      context, asked, [about = explained_run(context), what, device](const std::stop_token& stop) {
        return with_heading(about, what == "step" ? explain_step(about.settings, stop)
                                                  : explain_core(about.settings, device, stop));
      });
}

Reply explain_kernels(const std::string& op, CommandContext& context) {
  const Explained about = explained_run(context);
  const auto newest = about.is_run ? context.engine.newest_program() : std::nullopt;
  if (newest) return reply_of(explain_op(op, *newest));
  return answer(context, "explain " + op, [about, op](const std::stop_token& stop) {
    return with_heading(about, explain_op(op, estimated_program(about.settings, stop)));
  });
}

Reply explain(Arguments arguments, CommandContext& context) {
  const std::string what = arguments.empty() ? "step" : arguments.front();
  const bool of_settings = what == "step" || what == "core";
  if (arguments.size() > (what == "core" ? 2 : 1)) {
    throw Error(fmt::format("explain takes one word; usage: {}", usage));
  }
  refuse_to_run_on_gpus(context.settings);
  return of_settings ? explain_settings(arguments, what, context) : explain_kernels(what, context);
}

std::vector<std::string> complete(Arguments before, const CommandContext&) {
  if (!before.empty()) return {};
  return {"step", "core", "dot", "all-reduce"};
}

}  // namespace

extern const Command row;
const Command row{
    "explain",
    usage,
    "Unfold the estimate: its formula, what binds, what each resource is worth.",
    "explain (or explain step) gives the parts that add up to a step, the bound, the next one "
    "behind it and how far, and the step with each resource twice as fast, simulated again. "
    "explain core fills in duty cycle and utilisation, of most devices or of the one with that "
    "INDEX. explain dot lists the kernels of a training step with that op in their name, each "
    "with its terms: time = start + first and last "
    "blocks + latency + the longest of matrix, vector (both with their blocks), HBM, links + what "
    "these do not hide of each other; the bound takes the most of them, its own terms added up; "
    "and of each product what the matrix units pad (`show tiles 8192x129x8192` tells it of any "
    "product). "
    "All are of the newest run, also one with values of its own (run batch=64), until a setting "
    "changes, and else of the run that comes next.",
    explain,
    complete,
};

}  // namespace tpulab::explain_command
