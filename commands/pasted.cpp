#include "commands/pasted.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "commands/wrapped.h"

namespace tpulab {

namespace {

struct Pasted {
  std::string_view part;
  bool first = false;  // it must begin the line
  std::string_view answer;
};

constexpr std::array<Pasted, 20> known{{
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
    {"def ", true,
     "Python is not run here; `model \"conv 16 3x3 relu | dense 10\"` builds a network from layers "
     "(`help models`)."},
}};

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

}  // namespace

std::optional<Reply> answer_pasted(const std::string& line, CommandContext& context) {
  if (line.find("metrics_report(") != std::string::npos) {
    return find_command("metrics")->run({}, context);
  }
  if (line.find(".item(") != std::string::npos) return item(context);
  const std::string_view code =
      std::string_view(line).substr(std::min(line.find_first_not_of("!%"), line.size()));
  for (const Pasted& one : known) {
    const auto at = code.find(one.part);
    if (at != std::string_view::npos && (at == 0 || !one.first)) return in_words(one.answer);
  }
  return std::nullopt;
}

}  // namespace tpulab
