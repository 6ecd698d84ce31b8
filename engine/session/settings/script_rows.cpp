#include "engine/session/settings/script_rows.h"

#include <array>

#include "engine/session/settings/setting_values.h"

namespace tpulab {

namespace {

constexpr std::array<std::string_view, 3> shapes{"fixed", "random", "bucketed"};

constexpr std::array<SettingRow, 9> habits{{
    whole_row<&Settings::log_every_n_steps, 0, 1'000'000>(
        {"log_every_n_steps", "a whole number from 0 to 1,000,000, 0 for never",
         "Steps between two logged losses; each is an item() that the host waits for.",
         Effect::next_step}),
    whole_row<&Settings::item_every_n_steps, 0, 1'000'000>(
        {"item_every_n_steps", "a whole number from 0 to 1,000,000, 0 for never",
         "Steps between two calls of loss.item() inside the step, each a cut of the graph.",
         Effect::recompile}),
    switch_row<&Settings::progress_bar>(
        {"progress_bar", "on or off",
         "Reads the loss twice where it is refreshed, as a bar with prog_bar=True does.",
         Effect::next_step}),
    whole_row<&Settings::progress_bar_every, 1, 1'000'000>(
        {"progress_bar_every", "a whole number from 1 to 1,000,000",
         "Batches between two refreshes of progress_bar: TQDMProgressBar(refresh_rate=N).",
         Effect::next_step}),
    switch_row<&Settings::cpu_constant>(
        {"cpu_constant", "on or off",
         "Makes a tensor on the CPU in every step and sends it, as torch.ones(n).to(device) does.",
         Effect::recompile}),
    choice_row<&Settings::shapes, shapes>(
        {"shapes", "fixed, random or bucketed",
         "Rows that a batch keeps: all; any of 32 numbers from half up, as a collate_fn that drops "
         "rows does; or filled up to one of 4.",
         Effect::recompile}),
    switch_row<&Settings::class_weights>(
        {"class_weights", "on or off",
         "Weighs the loss by class counts from aten::bincount, which falls back to the CPU.",
         Effect::recompile}),
    switch_row<&Settings::hard_examples>(
        {"hard_examples", "on or off",
         "Trains on rows that aten::nonzero picks, which falls back to the CPU.",
         Effect::recompile}),
    switch_row<&Settings::drop_last>(
        {"drop_last", "on or off",
         "Leaves out the last, shorter batch of an epoch and its compile.", Effect::next_step}),
}};

}  // namespace

std::span<const SettingRow> script_rows() { return habits; }

}  // namespace tpulab
