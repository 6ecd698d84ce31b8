#include "commands/option_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>

#include "commands/estimate_words.h"
#include "engine/base/text.h"
#include "engine/session/settings/own_machines.h"
#include "engine/session/settings/setting_meanings.h"

namespace tpulab {

namespace {

constexpr std::size_t most_named = 3;  // rows, one by one

// "step: the mean of steps with 711.8 of 1024 rows (128)".
std::vector<std::string> mean_lines(const std::vector<EstimatedRow>& rows) {
  std::vector<std::string> which;
  for (const EstimatedRow& row : rows) {
    const std::string fewer = fewer_rows(row.estimate);
    if (!fewer.empty()) which.push_back(fmt::format("{} ({})", fewer, label_of(row)));
  }
  if (which.empty()) return {};
  const bool many = which.size() > most_named;
  return {
      many ? fmt::format("step: in {} rows the mean of steps that are not all full", which.size())
           : fmt::format("step: the mean of steps with {}", fmt::join(which, ", "))};
}

// What a run without a steady step would go on with.
std::vector<std::string> follow_lines(const std::vector<EstimatedRow>& rows) {
  std::vector<std::string> which;
  for (const EstimatedRow& row : rows) {
    if (row.estimate.follows_run) which.push_back(label_of(row));
  }
  if (which.empty()) return {};
  const std::string who = which.size() > most_named ? fmt::format("{} rows", which.size())
                                                    : fmt::format("{}", fmt::join(which, ", "));
  return {fmt::format("step of {}: one that would follow its run, which has no steady one", who)};
}

// Their bands are those of the machines that they are like.
std::vector<std::string> unmeasured_lines(const std::vector<EstimatedRow>& rows) {
  std::set<std::string> names;
  for (const EstimatedRow& row : rows) {
    const auto own = own_machine_of(row.option.settings.slice);
    if (own && row.estimate.band > 0) names.insert(own->name);
  }
  if (names.empty()) return {};
  const std::string which = names.size() > most_named ? fmt::format("{} of yours", names.size())
                                                      : fmt::format("{}", fmt::join(names, ", "));
  return {fmt::format("bands of {}: of built-in machines, as {} not measured", which,
                      names.size() == 1 ? "yours was" : "yours were")};
}

std::vector<std::string> useful_lines(const std::vector<EstimatedRow>& rows) {
  const auto above = [](const EstimatedRow& row) { return row.estimate.utilisation > 1; };
  if (std::ranges::none_of(rows, above)) return {};
  return {"useful above 100 %: products in int8 against the peak of bf16"};
}

// "tokens a row: 4,096 (a/config.json), 8,192 (llama3-8b)": samples of one are no samples of the
// other. What a model has several of was asked for.
std::vector<std::string> token_lines(const std::vector<EstimatedRow>& rows) {
  std::map<std::string, std::set<std::int64_t>> of_models;
  for (const EstimatedRow& row : rows) {
    const Estimate& one = row.estimate;
    if (one.tokens_per_second <= 0 || one.samples_per_second <= 0) continue;
    of_models[row.option.settings.model].insert(
        std::llround(one.tokens_per_second / one.samples_per_second));
  }
  std::map<std::int64_t, std::vector<std::string>> models;
  for (const auto& [model, tokens] : of_models) {
    if (tokens.size() > 1) return {};
    models[*tokens.begin()].push_back(model);
  }
  if (models.size() < 2) return {};
  std::vector<std::string> parts;
  parts.reserve(models.size());
  for (const auto& [tokens, which] : models) {
    parts.push_back(fmt::format("{} ({})", text_with_commas(tokens), fmt::join(which, ", ")));
  }
  return {fmt::format("tokens a row: {}; `sequence` sets the same", fmt::join(parts, ", "))};
}

}  // namespace

std::string label_of(const EstimatedRow& row) {
  if (row.option.values.empty()) return row.estimate.machine;
  return fmt::format("{}", fmt::join(row.option.values, " "));
}

std::vector<std::string> step_notes(const std::vector<EstimatedRow>& rows) {
  std::vector<std::string> lines = mean_lines(rows);
  std::ranges::move(follow_lines(rows), std::back_inserter(lines));
  std::ranges::move(useful_lines(rows), std::back_inserter(lines));
  std::ranges::move(unmeasured_lines(rows), std::back_inserter(lines));
  std::ranges::move(token_lines(rows), std::back_inserter(lines));
  return lines;
}

std::vector<std::string> whole_run_lines(const std::vector<EstimatedRow>& rows) {
  constexpr std::size_t most = 8;
  constexpr double alike = 1.001;
  constexpr double other = 1.02;
  constexpr double far = 1.2;
  const auto endless = [](const EstimatedRow& row) { return !row.estimate.run; };
  if (rows.size() < 2 || rows.size() > most || std::ranges::any_of(rows, endless)) return {};
  const auto spread = [&rows](auto value) {
    const auto [least, largest] = std::ranges::minmax_element(rows, {}, value);
    return value(*largest) / std::max(1e-12, value(*least));
  };
  const auto step = [](const EstimatedRow& row) { return in_seconds(row.estimate.step); };
  const auto whole = [](const EstimatedRow& row) { return in_seconds(row.estimate.run->time); };
  const auto lost = [](const EstimatedRow& row) {
    return row.estimate.samples_per_second / std::max(1e-12, row.estimate.run->samples_per_second);
  };
  const bool steps_hide_it = spread(step) <= alike && spread(whole) >= other;
  if (!steps_hide_it && spread(lost) < far) return {};
  std::vector<std::string> runs;
  runs.reserve(rows.size());
  for (const EstimatedRow& row : rows) {
    runs.push_back(fmt::format("{} {}", label_of(row), text_of(row.estimate.run->time)));
    if (steps_hide_it) continue;
    runs.back() +=
        fmt::format(" ({} samples/s)", text_of_count(row.estimate.run->samples_per_second));
  }
  return {fmt::format("whole runs from a cold start: {}", fmt::join(runs, ", "))};
}

std::vector<std::string> notes_on_settings(const std::vector<EstimatedRow>& rows) {
  std::map<std::string, std::vector<std::string>> short_epochs;
  std::set<std::string> lines;
  for (const EstimatedRow& row : rows) {
    const Settings& settings = row.option.settings;
    if (!row.estimate.gpus.empty()) continue;
    if (std::string why = short_epoch(settings); !why.empty()) {
      short_epochs[why].push_back(label_of(row));
    }
    std::ranges::move(said_of_estimate(settings), std::inserter(lines, lines.end()));
    if (std::string copies = copies_note(settings); !copies.empty()) lines.insert(copies);
  }
  for (const auto& [why, which] : short_epochs) {
    lines.insert(fmt::format("{} ({})", why, fmt::join(which, ", ")));
  }
  return {lines.begin(), lines.end()};
}

}  // namespace tpulab
