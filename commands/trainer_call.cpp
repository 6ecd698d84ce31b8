#include "commands/trainer_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "commands/ask.h"
#include "commands/trainer_arguments.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/session/settings/lightning_rules.h"
#include "engine/session/settings/python_literal.h"

namespace tpulab {

namespace {

constexpr std::string_view constructor = "Trainer(";

using Part = TrainerArgument::Part;

const TrainerArgument* find_argument(std::string_view name) {
  return find_row(trainer_arguments, name, &TrainerArgument::name);
}

bool is_name(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
}

// Where "Trainer(" begins, if only `name =` and `module.` stand before it.
std::size_t start_of_call(std::string_view line) {
  const std::size_t at = line.find(constructor);
  if (at == std::string_view::npos) return at;
  std::string_view before = trimmed(line.substr(0, at));
  if (const auto equals = before.find('='); equals != std::string_view::npos) {
    if (!is_name(trimmed(before.substr(0, equals)))) return std::string_view::npos;
    before = trimmed(before.substr(equals + 1));
  }
  if (before.empty()) return at;
  if (before.back() != '.') return std::string_view::npos;
  before.remove_suffix(1);
  const auto modules = split(before, '.');
  return std::ranges::all_of(modules, is_name) ? at : std::string_view::npos;
}

// The text between the brackets of the call.
std::string_view arguments_text(std::string_view line) {
  const std::string_view call = trimmed(without_comment(line));
  const std::string_view rest = call.substr(start_of_call(call) + constructor.size());
  // A part that ends at the closing bracket leaves nothing behind it.
  if (!rest.ends_with(')') || parts_of(rest.substr(0, rest.size() - 1), ')').size() != 1) {
    throw Error(
        "Trainer(...) must be one call, closed by its bracket, on one line where it is typed; what "
        "is pasted or in a file may have several; example: Trainer(accelerator=\"tpu\", "
        "devices=8)");
  }
  return rest.substr(0, rest.size() - 1);
}

[[noreturn]] void refuse_unknown_argument(std::string_view name) {
  std::vector<std::string> known;
  known.reserve(trainer_arguments.size());
  for (const TrainerArgument& one : trainer_arguments) known.emplace_back(one.name);
  const std::string near = nearest_name(name, known);
  throw Error(fmt::format("Trainer.__init__() got an unexpected keyword argument '{}'; {}", name,
                          near.empty()
                              ? fmt::format("it takes {}", fmt::join(trainer_settings(), ", "))
                              : fmt::format("did you mean {}?", near)));
}

void read_num_nodes(const PythonLiteral& value, TrainerCall& call) {
  if (value.kind != PythonLiteral::Kind::integer || value.integer.value_or(1) < 1) {
    throw Error(
        fmt::format("`num_nodes` must be a positive integer, but got {}. Leave it out: "
                    "the slice says how many hosts there are",
                    repr(value)));
  }
  if (value.integer != 1) {
    call.notes.emplace_back("num_nodes changes nothing on TPU: the slice says how many hosts");
  }
}

void read_profiler(const PythonLiteral& value, TrainerCall& call) {
  static constexpr std::array<std::string_view, 4> names{"simple", "advanced", "pytorch", "xla"};
  const bool text = value.kind == PythonLiteral::Kind::text;
  if (text && std::ranges::find(names, value.text) == names.end()) {
    throw Error(fmt::format(
        "When passing string value for the `profiler` parameter of `Trainer`, it can only be one "
        "of ['simple', 'advanced', 'pytorch', 'xla'], not {}",
        repr(value)));
  }
  call.notes.emplace_back("profiler plays no part in this emulation: `metrics` and `explain` tell");
}

// Overrides what else the call says, as Lightning does.
void read_fast_dev_run(const PythonLiteral& value, TrainerCall& call) {
  const bool yes = value.kind == PythonLiteral::Kind::boolean && value.text == "True";
  const bool no = value.kind == PythonLiteral::Kind::boolean && !yes;
  if (!yes && !no && value.kind != PythonLiteral::Kind::integer) {
    throw Error(
        fmt::format("fast_dev_run={} is not a valid configuration. It should be a bool or "
                    "an int",
                    repr(value)));
  }
  const std::int64_t batches = yes ? 1 : no ? 0 : value.integer.value_or(0);
  if (batches < 0) {
    throw Error(
        fmt::format("fast_dev_run={} is not a valid configuration. It should be >= 0.", batches));
  }
  if (batches == 0) return;
  const std::string count = std::to_string(batches);
  call.overrides = {{"max_epochs", "1"},
                    {"max_steps", count},
                    {"limit_train_batches", count},
                    {"limit_val_batches", count},
                    {"num_sanity_val_steps", "0"},
                    {"val_check_interval", "1.0"},
                    {"check_val_every_n_epoch", "1"},
                    {"log_every_n_steps", "0"}};
  call.notes.push_back(
      fmt::format("Running in `fast_dev_run` mode: will run the requested loop using {} batch(es). "
                  "Logging and checkpointing is suppressed.",
                  batches));
}

// What Lightning does not take although the setting here could.
void check_given(std::string_view name, const PythonLiteral& value) {
  const bool none = value.kind == PythonLiteral::Kind::none;
  if (none && name == "accelerator") lightning_accelerator("None");
  if (none && name == "max_steps") {
    throw Error(
        "`max_steps` must be a non-negative integer or -1 (infinite steps). You passed in None.");
  }
  if (name == "strategy" && value.text == "single_xla") {
    throw Error(
        "SingleDeviceXLAStrategy.__init__() missing 1 required positional argument: 'device'; "
        "leave "
        "strategy out: devices=1 takes it");
  }
  if (name == "gradient_clip_val" && value.kind == PythonLiteral::Kind::text) {
    throw Error(
        fmt::format("`gradient_clip_val` should be an int or a float. Got {}.", value.text));
  }
}

void read_value(const TrainerArgument& argument, std::string_view source, TrainerCall& call) {
  const std::string_view name = argument.name;
  const auto value = parse_python(source);
  if (argument.part == Part::idle) {
    call.notes.push_back(fmt::format("{} plays no part in this emulation{}{}", name,
                                     argument.why.empty() ? "" : ": ", argument.why));
    return;
  }
  if (name == "max_epochs" && value && value->integer == 0) {
    call.notes.emplace_back(
        "max_epochs=0 is not emulated: it trains nothing, as here "
        "limit_train_batches=0 does");
    return;
  }
  if (argument.part == Part::elsewhere) {
    const bool usual = value && (value->kind == PythonLiteral::Kind::none ||
                                 (name == "use_distributed_sampler" && value->text == "True") ||
                                 value->text == "False" || value->integer == 0);
    if (!usual) call.notes.push_back(fmt::format("{}= is not emulated: {}", name, argument.why));
    return;
  }
  if (!value) {
    throw Error(
        fmt::format("{}={} is no value that can be read here; write a number, a \"text\" "
                    "or a [list]",
                    name, source));
  }
  const bool none = value->kind == PythonLiteral::Kind::none;
  if (name == "num_nodes") return read_num_nodes(*value, call);
  if (name == "profiler" && !none) return read_profiler(*value, call);
  if (name == "fast_dev_run") return read_fast_dev_run(*value, call);
  check_given(name, *value);
  if (argument.part == Part::setting &&
      (!none || name == "devices" || name == "check_val_every_n_epoch")) {
    using Kind = PythonLiteral::Kind;
    const bool number = value->kind == Kind::integer || value->kind == Kind::real;
    call.given.push_back({std::string(name), number ? value->text : std::string(source)});
  }
}

void read_argument(std::string_view text, std::size_t place, TrainerCall& call) {
  const auto [name, source] = name_and_value(text);
  if (name.empty()) {
    // Lightning gives values without a name those of its signature, in order, although its
    // __init__ takes none: _defaults_from_env_vars moves them.
    if (!call.named && place < trainer_arguments.size() && !text.empty()) {
      return read_value(trainer_arguments[place], text, call);
    }
    throw Error(
        fmt::format("SyntaxError: positional argument follows keyword argument ({}); write "
                    "NAME=VALUE, such as devices=1",
                    text));
  }
  call.named = true;
  const TrainerArgument* argument = find_argument(name);
  if (argument == nullptr) refuse_unknown_argument(name);
  read_value(*argument, source, call);
}

void check_repetition(const TrainerCall& call) {
  for (std::size_t i = 0; i < call.given.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (call.given[i].name != call.given[j].name) continue;
      throw Error(fmt::format("keyword argument repeated: {}; name it once", call.given[i].name));
    }
  }
}

}  // namespace

std::string whole_call(std::string line, const std::function<bool(std::string&)>& next) {
  constexpr int most = 64;
  if (!is_trainer_call(line)) return line;
  std::string more;
  for (int i = 1; i < most && leaves_brackets_open(line) && next(more); ++i) {
    line = fmt::format("{} {}", without_comment(line), trimmed(without_comment(more)));
  }
  return line;
}

bool is_trainer_call(std::string_view line) {
  return start_of_call(trimmed(without_comment(line))) != std::string_view::npos;
}

TrainerCall parse_trainer_call(std::string_view line) {
  TrainerCall call;
  std::vector<std::string> arguments = parts_of(arguments_text(line), ',');
  if (arguments.back().empty()) arguments.pop_back();  // Trainer() and a trailing comma
  for (std::size_t i = 0; i < arguments.size(); ++i) read_argument(arguments[i], i, call);
  check_repetition(call);
  return call;
}

namespace {

// "devices auto, precision 32-true", of those that the call does not name and that were others.
std::string put_back(const TrainerCall& call, const Settings& before, const Settings& now) {
  std::vector<std::string> all;
  for (const std::string& name : trainer_settings()) {
    const SettingRow& row = setting_named(name);
    const auto is_it = [&name](const Assignment& one) { return one.name == name; };
    const bool named =
        std::ranges::any_of(call.given, is_it) || std::ranges::any_of(call.overrides, is_it);
    if (named || row.show(before) == row.show(now)) continue;
    all.push_back(fmt::format("{} {}", name, row.show(now)));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace

Reply run_trainer_call(std::string_view line, CommandContext& context) {
  TrainerCall call = parse_trainer_call(line);
  Settings changed = context.settings;
  const Settings defaults;
  for (const std::string& name : trainer_settings()) setting_named(name).copy(changed, defaults);
  change_all(changed, call.given);
  change_all(changed, call.overrides);
  const std::string back = put_back(call, context.settings, changed);
  context.settings = changed;
  Reply reply;
  reply.lines = {
      "GPU available: False, used: False",
      fmt::format("TPU available: True, using: {} TPU cores", lightning_num_devices(changed)),
      fmt::format("the next run: {}", run_in_words(changed))};
  if (!back.empty()) {
    reply.lines.push_back("back at Trainer's defaults: " + back);
  }
  for (const std::string& name : trainer_settings()) {
    reply.fields.push_back(field_of(setting_named(name), changed));
  }
  reply.lines.insert(reply.lines.end(), call.notes.begin(), call.notes.end());
  return reply;
}

std::vector<std::string> trainer_settings() {
  std::vector<std::string> names;
  for (const TrainerArgument& one : trainer_arguments) {
    if (one.part == Part::setting) names.emplace_back(one.name);
  }
  return names;
}

}  // namespace tpulab
