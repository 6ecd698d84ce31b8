#include "engine/session/settings/loop_rows.h"

#include <fmt/format.h>

#include <array>

#include "engine/base/error.h"
#include "engine/session/settings/setting_values.h"

namespace tpulab {

namespace {

constexpr std::string_view limit_train = "limit_train_batches";
constexpr std::string_view limit_val = "limit_val_batches";
constexpr std::string_view overfit = "overfit_batches";
constexpr std::string_view check_interval = "val_check_interval";
constexpr std::array<std::string_view, 2> clip_algorithms{"norm", "value"};
constexpr std::int64_t most_batches = 1'000'000'000;

// A whole number is a count, as in Python; one with a point a share of the batches.
std::optional<Portion> portion_of(std::string_view name, std::string_view value) {
  if (const auto count = whole_number(value)) {
    if (*count < 0 || *count > most_batches) return std::nullopt;
    return Portion{.count = *count, .share = 1};
  }
  const auto share = real_number(value);
  if (!share) return std::nullopt;
  if (*share < 0 || *share > 1) {
    throw Error(fmt::format(
        "You have passed invalid value {} for {}, it has to be in [0.0, 1.0] or an int.", value,
        name));
  }
  return Portion{.count = -1, .share = *share};
}

// Lightning says so of 1 and of 1.0 alike.
std::string say_portion(std::string_view name, const Portion& portion, std::string_view per) {
  if (portion.nothing() && name == limit_train) {
    return "`Trainer.fit` stopped: No training batches. Its sanity check is all that runs";
  }
  if (portion.count == 1) {
    return fmt::format("`Trainer({}=1)` was configured so 1 batch {} will be used.", name, per);
  }
  if (portion.count < 0 && portion.share == 1) {
    return fmt::format("`Trainer({}=1.0)` was configured so 100% of the batches {} will be used.",
                       name, per);
  }
  return {};
}

[[noreturn]] void refuse_nothing(std::string_view name, std::string_view value) {
  throw Error(fmt::format("{} cannot be {}; limit_val_batches 0 never validates", name, value));
}

template <auto Field, const auto& Name, bool NothingToo>
constexpr SettingRow portion_row(RowWords words) {
  return {Name,
          words.values,
          words.help,
          words.effect,
          [](const Settings&) {
            return std::vector<std::string>{"1.0", "0.5", "10"};
          },
          [](Settings& settings, std::string_view value) {
            const auto portion = portion_of(Name, value);
            if (!portion) return false;
            if (!NothingToo && portion->nothing()) refuse_nothing(Name, value);
            settings.*Field = *portion;
            return true;
          },
          show_field<Field>,
          copy_field<Field>,
          words.meaning};
}

bool parse_clip(Settings& settings, std::string_view value) {
  const auto number = real_number(value);
  if (!number || *number < 0 || *number > 1e9) return false;
  settings.gradient_clip_val = *number;
  return true;
}

// 0 stands for None, which Lightning has for it.
bool parse_check_epochs(Settings& settings, std::string_view value) {
  const auto number = value == "None" ? std::optional<std::int64_t>(0) : whole_number(value);
  if (!number || *number < 0 || *number > 1'000'000 || value == "0") return false;
  settings.check_val_every_n_epoch = *number;
  return true;
}

std::string show_check_epochs(const Settings& settings) {
  const std::int64_t epochs = settings.check_val_every_n_epoch;
  return epochs == 0 ? "None" : std::to_string(epochs);
}

std::string train_meaning(const Settings& settings) {
  return say_portion("limit_train_batches", settings.limit_train_batches, "per epoch");
}
bool parse_decay(Settings& settings, std::string_view value) {
  const auto number = value == "auto" ? std::optional(-1.0) : real_number(value);
  if (!number || (*number < 0 && value != "auto") || *number > 1) return false;
  settings.weight_decay = *number;
  return true;
}

std::string show_decay(const Settings& settings) {
  return settings.weight_decay < 0 ? "auto" : fmt::format("{}", settings.weight_decay);
}

// A scalar that steps are sent, but where there is none.
std::string decay_meaning(const Settings& settings) {
  if (settings.weight_decay < 0) return "0.01 of adamw and lamb, else none";
  if (settings.weight_decay == 0) return "none, so the next step recompiles unless it is cached";
  return "of sgd and adam recompiles where there was none";
}

std::string val_meaning(const Settings& settings) {
  return say_portion("limit_val_batches", settings.limit_val_batches, "per validation");
}

constexpr std::string_view portions =
    "a count of batches, or a share of them from 0.0 to 1.0: 1 is one batch, 1.0 all";

constexpr std::array<SettingRow, 10> of_loop{{
    portion_row<&Settings::limit_train_batches, limit_train, true>(
        {{},
         portions,
         "How much of an epoch is trained on; 0 trains nothing.",
         Effect::next_step,
         train_meaning}),
    portion_row<&Settings::limit_val_batches, limit_val, true>(
        {{},
         portions,
         "How much is validated; 0 never validates.",
         Effect::next_step,
         val_meaning}),
    portion_row<&Settings::overfit_batches, overfit, true>(
        {{},
         portions,
         "Trains and validates on so few batches, the same in each epoch; 0.0 is off.",
         Effect::new_run}),
    whole_row<&Settings::accumulate_grad_batches, 1, 1024>(
        {"accumulate_grad_batches", "a whole number from 1 to 1,024",
         "Batches whose gradients one optimizer step sums.", Effect::recompile}),
    SettingRow{"gradient_clip_val", "a number from 0, 0 for never",
               "Where gradients are clipped: their common norm, or each value.", Effect::recompile,
               nullptr, parse_clip, show_field<&Settings::gradient_clip_val>,
               copy_field<&Settings::gradient_clip_val>, nullptr},
    choice_row<&Settings::gradient_clip_algorithm, clip_algorithms>(
        {"gradient_clip_algorithm", "norm or value", "What gradient_clip_val is the limit of.",
         Effect::recompile}),
    SettingRow{"weight_decay", "auto or a number from 0 to 1",
               "How much weights shrink: as torch's optimizers do it; auto is 0.01 of adamw and "
               "lamb, and none of others.",
               Effect::next_step,
               [](const Settings&) {
                 return std::vector<std::string>{"auto", "0.01"};
               },
               parse_decay, show_decay, copy_field<&Settings::weight_decay>, decay_meaning},
    portion_row<&Settings::val_check_interval, check_interval, false>(
        {{},
         "a count of batches from 1, or a share of an epoch up to 1.0",
         "Batches between two validations of an epoch.",
         Effect::next_step}),
    SettingRow{"check_val_every_n_epoch", "a whole number from 1 to 1,000,000, or None",
               "Epochs between those that are validated; None: val_check_interval counts the "
               "batches of all epochs.",
               Effect::next_step,
               [](const Settings&) {
                 return std::vector<std::string>{"1", "None"};
               },
               parse_check_epochs, show_check_epochs,
               copy_field<&Settings::check_val_every_n_epoch>, nullptr},
    whole_row<&Settings::num_sanity_val_steps, 0, 1'000'000, true>(
        {"num_sanity_val_steps", "a whole number from 0 to 1,000,000, or -1 for all",
         "Batches that Lightning validates before any training.", Effect::new_run}),
}};

}  // namespace

std::span<const SettingRow> loop_rows() { return of_loop; }

}  // namespace tpulab
