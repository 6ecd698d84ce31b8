// Lightning's line, pasted as it is: trainer = Trainer(accelerator="tpu", devices=[1])
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/command.h"

namespace tpulab {

struct TrainerCall {
  std::vector<Assignment> given;      // settings, as written in the call
  std::vector<Assignment> overrides;  // of fast_dev_run
  std::vector<std::string> notes;     // arguments that were read and play no part
  bool named = false;                 // an argument with a name has come
};

// `Trainer(` after an optional `name =` and an optional module, as in `t = L.Trainer(devices=1)`.
bool is_trainer_call(std::string_view line);
// A file's or script's lines from such a call on, joined until its brackets close: `next` gives one
// more, false at the end. At most 64.
std::string whole_call(std::string line, const std::function<bool(std::string&)>& next);
// Throws Error in the words of Python or Lightning for what they refuse.
TrainerCall parse_trainer_call(std::string_view line);
// Sets what the call names and puts Trainer's other settings back to their defaults; answers with
// what Lightning prints and with what the next run uses.
Reply run_trainer_call(std::string_view line, CommandContext& context);

// The arguments of Trainer that are settings here.
std::vector<std::string> trainer_settings();

}  // namespace tpulab
