#include "commands/fit_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "commands/trainer_call.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/session/settings/python_literal.h"

namespace tpulab {

namespace {

constexpr std::string_view method = ".fit(";
// In the order of Lightning's signature (2.5).
constexpr std::array<std::string_view, 5> parameters{"model", "train_dataloaders",
                                                     "val_dataloaders", "datamodule", "ckpt_path"};

std::string_view before_call(std::string_view line) { return line.substr(0, line.find(method)); }

[[noreturn]] void refuse_unknown(const std::string& name, const std::string& value) {
  const std::vector<std::string> of_trainers = trainer_settings();
  const bool of_trainer = std::ranges::find(of_trainers, name) != of_trainers.end();
  throw Error(fmt::format(
      "Trainer.fit() got an unexpected keyword argument '{}'; {}", name,
      of_trainer
          ? fmt::format("it is Trainer's: type `{} {}`, then `trainer.fit(model)`", name, value)
          : fmt::format("it takes {}", fmt::join(parameters, ", "))));
}

void check_argument(const std::string& text) {
  const auto [name, value] = name_and_value(text);
  if (!name.empty() && std::ranges::find(parameters, name) == parameters.end()) {
    refuse_unknown(name, value);
  }
  if (text.empty()) {
    throw Error("SyntaxError: an argument is empty; write `trainer.fit(model)`");
  }
  const auto literal = parse_python(name.empty() ? text : value);
  if (literal && literal->kind == PythonLiteral::Kind::none) return;
  if (name == "ckpt_path") {
    throw Error(
        "a run goes on from a file that `checkpoint FILE` has written: type `resume FILE` in the "
        "place of trainer.fit(model, ckpt_path=...)");
  }
  if (!literal) return;
  throw Error(
      fmt::format("trainer.fit takes a model and loaders by their names, not {}; how long "
                  "it trains say max_epochs and max_steps",
                  repr(*literal)));
}

}  // namespace

bool is_fit_call(std::string_view line) {
  if (!line.ends_with(')') || before_call(line).size() == line.size()) return false;
  return before_call(line).find_first_of(" \t=(") == std::string_view::npos;
}

void check_fit_call(std::string_view line) {
  std::string_view inside = line.substr(before_call(line).size() + method.size());
  inside.remove_suffix(1);
  std::vector<std::string> arguments = parts_of(inside, ',');
  if (arguments.back().empty()) arguments.pop_back();  // fit() and a trailing comma
  if (arguments.size() > parameters.size()) {
    throw Error(fmt::format("Trainer.fit() takes at most {} arguments; write `trainer.fit(model)`",
                            parameters.size()));
  }
  std::ranges::for_each(arguments, check_argument);
}

}  // namespace tpulab
