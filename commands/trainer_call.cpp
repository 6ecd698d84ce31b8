#include "commands/trainer_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "commands/ask.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/session/lightning_rules.h"
#include "engine/session/python_literal.h"

namespace tpulab {

namespace {

constexpr std::string_view constructor = "Trainer(";

// Arguments of Lightning's Trainer that are settings here, under the same name.
constexpr std::array<std::string_view, 7> setting_arguments{
    "accelerator", "strategy",  "devices",          "precision",
    "max_epochs",  "max_steps", "log_every_n_steps"};

// Arguments that change neither what a run computes nor the time it takes here.
constexpr std::array<std::string_view, 14> idle_arguments{"logger",
                                                          "enable_checkpointing",
                                                          "enable_progress_bar",
                                                          "default_root_dir",
                                                          "enable_model_summary",
                                                          "benchmark",
                                                          "deterministic",
                                                          "inference_mode",
                                                          "num_sanity_val_steps",
                                                          "detect_anomaly",
                                                          "profiler",
                                                          "barebones",
                                                          "model_registry",
                                                          "enable_autolog_hparams"};

// Arguments that would change the run: read only with None, which is their default.
constexpr std::array<std::string_view, 20> other_arguments{"callbacks",
                                                           "fast_dev_run",
                                                           "min_epochs",
                                                           "min_steps",
                                                           "max_time",
                                                           "limit_train_batches",
                                                           "limit_val_batches",
                                                           "limit_test_batches",
                                                           "limit_predict_batches",
                                                           "overfit_batches",
                                                           "val_check_interval",
                                                           "check_val_every_n_epoch",
                                                           "accumulate_grad_batches",
                                                           "gradient_clip_val",
                                                           "gradient_clip_algorithm",
                                                           "use_distributed_sampler",
                                                           "plugins",
                                                           "sync_batchnorm",
                                                           "reload_dataloaders_every_n_epochs",
                                                           "num_nodes"};

bool among(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(text,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
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
        "Trainer(...) must be one call on one line, closed by its bracket; example: "
        "Trainer(accelerator=\"tpu\", devices=8)");
  }
  return rest.substr(0, rest.size() - 1);
}

[[noreturn]] void refuse_unknown_argument(std::string_view name) {
  std::vector<std::string> known(setting_arguments.begin(), setting_arguments.end());
  known.insert(known.end(), idle_arguments.begin(), idle_arguments.end());
  known.insert(known.end(), other_arguments.begin(), other_arguments.end());
  const std::string near = nearest_name(name, known);
  throw Error(fmt::format("Trainer.__init__() got an unexpected keyword argument '{}'; {}", name,
                          near.empty()
                              ? fmt::format("it takes {}", fmt::join(setting_arguments, ", "))
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

void read_argument(std::string_view argument, TrainerCall& call) {
  const auto [name, source] = name_and_value(argument);
  if (name.empty()) {
    throw Error(
        fmt::format("Trainer.__init__() takes no positional argument ({}); write "
                    "NAME=VALUE, such as devices=1",
                    argument));
  }
  const bool setting = among(setting_arguments, name);
  if (!setting && !among(idle_arguments, name) && !among(other_arguments, name)) {
    refuse_unknown_argument(name);
  }
  if (among(idle_arguments, name)) {
    call.notes.push_back(fmt::format("{} plays no part in this emulation", name));
    return;
  }
  const auto value = parse_python(source);
  if (!value) {
    throw Error(
        fmt::format("{}={} is no value that can be read here; write a number, a \"text\" "
                    "or a [list]",
                    name, source));
  }
  if (name == "num_nodes") return read_num_nodes(*value, call);
  const bool none = value->kind == PythonLiteral::Kind::none;
  if (!setting && !none) {
    throw Error(fmt::format("{} is not emulated; leave it out", name));
  }
  if (setting && (!none || name == "devices")) call.given.push_back({name, source});
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

bool is_trainer_call(std::string_view line) {
  return start_of_call(trimmed(without_comment(line))) != std::string_view::npos;
}

TrainerCall parse_trainer_call(std::string_view line) {
  TrainerCall call;
  std::vector<std::string> arguments = parts_of(arguments_text(line), ',');
  if (arguments.back().empty()) arguments.pop_back();  // Trainer() and a trailing comma
  for (const std::string& argument : arguments) read_argument(argument, call);
  check_repetition(call);
  return call;
}

Reply run_trainer_call(std::string_view line, CommandContext& context) {
  TrainerCall call = parse_trainer_call(line);
  Settings changed = context.settings;
  const Settings defaults;
  for (const std::string_view name : setting_arguments) {
    setting_named(name).copy(changed, defaults);
  }
  change_all(changed, call.given);
  context.settings = changed;
  Reply reply;
  reply.lines = {
      "GPU available: False, used: False",
      fmt::format("TPU available: True, using: {} TPU cores", lightning_num_devices(changed)),
      fmt::format("the next run: {}", run_in_words(changed))};
  for (const std::string_view name : setting_arguments) {
    reply.fields.push_back(field_of(setting_named(name), changed));
  }
  reply.lines.insert(reply.lines.end(), call.notes.begin(), call.notes.end());
  return reply;
}

std::vector<std::string> trainer_settings() {
  return {setting_arguments.begin(), setting_arguments.end()};
}

}  // namespace tpulab
