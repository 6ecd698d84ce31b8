#include "commands/pasted.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "commands/pasted_layers.h"
#include "commands/python_call.h"
#include "commands/wrapped.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

struct Pasted {
  std::string_view part;
  bool first = false;  // it must begin the line
  std::string_view answer;
};

constexpr std::string_view python =
    "Python is not run here, but for Trainer(...), trainer.fit(model) and metrics_report(); `model "
    "\"conv 16 3x3 relu | dense 10\"` builds a network from layers (`help models`).";

constexpr std::string_view tpu_devices =
    "the devices here are those of a TPU: `devices auto` takes all of the slice, `devices [1]` "
    "one, "
    "and `slice v3-8` sets the machine. `compare v3-8 v100x8 model=resnet50` sets GPUs beside it.";

constexpr std::array<Pasted, 33> known{{
    {"pip install", false,
     "nothing is to be installed here: the machine is emulated, torch_xla and Lightning's Trainer "
     "with it. `help access` says how one gets a real TPU."},
    {"import ", true, "nothing is to be imported here; Trainer(...) and trainer.fit(model) work."},
    {"from ", true, "nothing is to be imported here; Trainer(...) and trainer.fit(model) work."},
    {"gcloud ", true,
     "no cloud is asked from here: `slice v3-8` sets the emulated machine. `help access` says how "
     "one gets a real one."},
    {"mark_step(", false,
     "each step ends in a cut here, as Lightning's loaders do it; `help MarkStep`, and `metrics` "
     "counts them."},
    {"torch_xla.sync(", false,
     "each step ends in a cut here, as Lightning's loaders do it; `help MarkStep`, and `metrics` "
     "counts them."},
    {"xla_device(", false, "`devices [1]` chooses a device, `devices auto` takes all of them."},
    {"initialize_cache(", false,
     "`cache_persistent on` keeps programs on disk for the next process, `filled` is that "
     "process."},
    {"jax_compilation_cache_dir", false,
     "`cache_persistent on` keeps programs on disk for the next process, `filled` is that "
     "process."},
    {"is_available(", false, tpu_devices},
    {"torch.device(", false, tpu_devices},
    {".to(device)", false,
     "a run brings the model and its batches to the devices; `devices` says to which."},
    {"ModelCheckpoint(", false,
     "`checkpoint FILE.safetensors every 100` writes them and sets `save_every_n_steps`, which "
     "shows what they cost; `preempt host@40` shows what they are for."},
    {"optimizer_step(", false, "a run does it: `run` trains, `step` trains one step."},
    {".backward(", false, "a run does it: `run` trains, `step` trains one step."},
    {"trainer.test(", false, "the test rows are looked at after each epoch of a `run`."},
    {"trainer.validate(", false, "the test rows are looked at after each epoch of a `run`."},
    {"class ", true,
     "modules of your own are not run here; `model \"conv 16 3x3 relu | dense 10\"` builds a "
     "network from layers (`help models`)."},
    {"for ", true, "a run does it: `run` trains epoch by epoch, `step` trains one step."},
    {"loss = ", true, "a run does it: `run` trains, `step` trains one step."},
    {"model = ", true,
     "`model NAME` chooses a network, `model \"conv 16 3x3 relu | dense 10\"` builds one from "
     "layers (`help models`)."},
    {"def ", true, python},
    {"@", true, python},
    {"with ", true, python},
    {"return ", true, python},
    {"super(", true, python},
    {"self.", true, python},
    {"print(", true, python},
    {"optimizer.", true, "a run does it: `run` trains, `step` trains one step."},
    {"torch.", true, python},
    {"jax.devices(", false, "`show` lists the devices, `devices [1]` chooses one."},
    {"jax.", true, python},
    {"nn.", true, python},
}};

// Arguments of PyTorch's calls that are settings here.
struct Argument {
  std::string_view call;
  std::string_view python;
  std::string_view setting;
  int position = 0;  // without its name, from 1; 0: it needs that
};
constexpr std::array<Argument, 8> arguments{{{"DataLoader(", "batch_size", "batch", 2},
                                             {"DataLoader(", "num_workers", "loader_workers"},
                                             {"DataLoader(", "drop_last", "drop_last"},
                                             {"optim.", "lr", "learning_rate", 2},
                                             {"optim.", "momentum", "momentum"},
                                             {"optim.", "weight_decay", "weight_decay"},
                                             {"manual_seed(", "seed", "seed", 1},
                                             {"seed_everything(", "seed", "seed", 1}}};
constexpr std::array<std::string_view, 4> optimizers{"adam", "adamw", "lamb", "sgd"};

bool is_of_name(char c) {
  return is_digit(c) || c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0;
}

// "batch 64", if the setting takes it: what only Python knows is left out.
void add_if_taken(std::string_view name, const std::string& value, Settings& trial,
                  std::vector<std::string>& settings) {
  try {
    change(trial, name, value);
    settings.push_back(fmt::format("{} {}", name, value));
  } catch (const Error&) {
    // It is no value of that setting, or not beside those before it.
  }
}

std::string as_typed_here(const std::string& value) {
  if (value == "True") return "on";
  return value == "False" ? "off" : value;
}

// "optimizer adamw; learning_rate 1e-3" of torch.optim.AdamW(model.parameters(), lr=1e-3); nothing
// of an optimizer that is not here.
std::vector<std::string> settings_in(std::string_view code, Settings trial) {
  std::vector<std::string> settings;
  if (const auto layers = layers_in(code)) {
    add_if_taken("model", *layers, trial, settings);
    if (!settings.empty()) settings.back() = fmt::format("model \"{}\"", *layers);
  }
  constexpr std::string_view of_optimizers = "optim.";
  if (const auto at = code.find(of_optimizers); at != std::string_view::npos) {
    const std::string_view behind = code.substr(at + of_optimizers.size());
    const std::string name = lowered(behind.substr(0, behind.find('(')));
    if (std::ranges::find(optimizers, name) == optimizers.end()) return {};
    add_if_taken("optimizer", name, trial, settings);
  }
  for (const Argument& one : arguments) {
    const auto at = code.find(one.call);
    if (at == std::string_view::npos) continue;
    const std::string value =
        as_typed_here(argument_of(python_call(code.substr(at)), one.python, one.position));
    if (!value.empty()) add_if_taken(one.setting, value, trial, settings);
  }
  return settings;
}

Reply in_words(std::string_view text) {
  Reply reply;
  append_wrapped(reply.lines, "", text, 0);
  return reply;
}

Reply item(const CommandContext& context) {
  const double loss = context.engine.latest()->run.loss;
  const std::string newest =
      std::isfinite(loss) && loss > 0 ? fmt::format("the newest loss is {:.4f}; ", loss) : "";
  return in_words(newest +
                  "`item_every_n_steps 1` reads it in every step of a run and shows what that "
                  "costs (`help item`, `lesson item`).");
}

// "pred = model(X)" and "model = Net()": no setting of that name, or no value of one.
bool is_of_python(std::string_view name, std::string_view called) {
  const bool is_class = std::isupper(static_cast<unsigned char>(called.front())) != 0;
  return is_class || find_setting(name) == nullptr;
}

}  // namespace

bool assigns_a_call(std::string_view line) {
  const std::string_view name = trimmed(line.substr(0, line.find('=')));
  if (name.empty() || !line.ends_with(')') || line.find('=') == std::string_view::npos)
    return false;
  const std::string_view value = trimmed(line.substr(line.find('=') + 1));
  const std::string_view called = value.substr(0, value.find('('));
  const auto in_path = [](char c) { return is_of_name(c) || c == '.'; };
  const bool calls = std::ranges::all_of(name, in_path) && !called.empty() &&
                     called.size() < value.size() && std::ranges::all_of(called, in_path);
  const bool dotted = called.find('.') != std::string_view::npos || value.find(").") != value.npos;
  return calls && (dotted || (line.find(" = ") != line.npos && is_of_python(name, called)));
}

std::optional<Reply> answer_pasted(const std::string& line, CommandContext& context) {
  if (line.find("metrics_report(") != std::string::npos) {
    return find_command("metrics")->run({}, context);
  }
  if (line.find(".item(") != std::string::npos) return item(context);
  const std::string_view code =
      std::string_view(line).substr(std::min(line.find_first_not_of("!%"), line.size()));
  if (const auto settings = settings_in(code, context.settings); !settings.empty()) {
    return in_words(fmt::format("not set by it; here that is: {}", fmt::join(settings, "; ")));
  }
  for (const Pasted& one : known) {
    const auto at = code.find(one.part);
    if (at != std::string_view::npos && (at == 0 || !one.first)) return in_words(one.answer);
  }
  if (assigns_a_call(code)) return in_words(python);
  return std::nullopt;
}

}  // namespace tpulab
