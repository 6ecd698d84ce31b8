#include "commands/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "commands/candidates.h"
#include "commands/command.h"
#include "commands/glossary.h"
#include "commands/help_access.h"
#include "commands/help_causes.h"
#include "commands/help_gpus.h"
#include "commands/help_import.h"
#include "commands/help_plain.h"
#include "commands/help_script.h"
#include "commands/help_search.h"
#include "commands/help_slices.h"
#include "commands/option_rows.h"
#include "commands/wrapped.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/session/settings/own_machines.h"

namespace tpulab {

namespace {

constexpr std::size_t name_columns = 23;  // of a row of the list of pages

// "  name      what it is"; a long name has a line of its own.
void append_row(std::vector<std::string>& lines, std::string_view name, std::string_view text) {
  std::string start = fmt::format("  {:<{}}", name, name_columns - 2);
  if (!start.ends_with(' ')) lines.push_back(std::exchange(start, std::string(name_columns, ' ')));
  append_wrapped(lines, std::move(start), text, name_columns);
}

void append_command(std::vector<std::string>& lines, const Command& command) {
  lines.push_back(fmt::format("command: {}", command.usage));
  append_wrapped(lines, "", command.summary, 0);
  if (!command.help.empty()) append_wrapped(lines, "", command.help, 0);
}

void append_setting(std::vector<std::string>& lines, const SettingRow& row,
                    const Settings& defaults) {
  lines.push_back(fmt::format("setting: {}", row.name));
  append_wrapped(lines, "", row.help, 0);
  append_wrapped(lines, "", fmt::format("Takes {}.", row.values), 0);
  append_wrapped(
      lines, "",
      fmt::format("Default {}. When changed: {}.", row.show(defaults), words_of(row.effect)), 0);
}

// Each page once.
std::vector<std::string> names_of_pages() {
  std::vector<std::string> names = help_topics();
  for (const GlossaryWord& word : glossary()) names.push_back(word.name);
  return names;
}

std::vector<std::string> other_names_of_pages() {
  std::vector<std::string> names;
  for (const GlossaryWord& word : glossary()) {
    names.insert(names.end(), word.others.begin(), word.others.end());
  }
  return names;
}

// "v3-8 is a value of slice: ..."; empty for words that no setting offers, or several do.
std::string page_of_value(std::string_view word) {
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  if (std::ranges::none_of(word, is_letter)) return {};
  const SettingRow* row = nullptr;
  for (const SettingRow& one : setting_rows()) {
    if (one.choices == nullptr) continue;
    const std::vector<std::string> choices = one.choices(Settings());
    if (std::ranges::find(choices, word) == choices.end()) continue;
    if (row != nullptr) return {};
    row = &one;
  }
  if (row == nullptr) return {};
  const bool shown = row->name == "slice" || row->name == "stack" || row->name == "host";
  const bool listed = row->name == "model" || row->name == "data";
  return fmt::format("{0} is a value of {1}: `{1} {0}` takes it, {2}`help {3}` says more.", word,
                     row->name,
                     shown ? fmt::format("`show {} {}` tells of it, ", row->name, word) : "",
                     listed ? "models" : row->name);
}

// "activations, adam, ...": what a word of an answer is called is its page, too.
std::string words_page() {
  std::vector<std::string> names;
  for (const GlossaryWord& word : glossary()) names.push_back(word.name);
  std::ranges::sort(names, {}, [](const std::string& name) { return lowered(name); });
  std::vector<std::string> lines;
  append_wrapped(lines, "", fmt::format("{}", fmt::join(names, ", ")), 0);
  lines.emplace_back(
      "`help WORD` opens its page, other names of it and what is printed do so, too");
  return fmt::format("{}", fmt::join(lines, "\n"));
}

// One page is made of what the engine has, others stand in files of their own.
std::string page_of(const HelpTopic& idea) {
  if (idea.name == "access") return std::string(trimmed(access_text()));
  if (idea.name == "import") return std::string(trimmed(import_text()));
  if (idea.name == "slices") return std::string(trimmed(slices_text()));
  if (idea.name == "script") return std::string(trimmed(script_text()));
  if (idea.name == "gpus") return std::string(trimmed(gpus_text()));
  if (idea.name == "plain") return std::string(trimmed(plain_text()));
  if (idea.name == "words") return words_page();
  return idea.name == "causes" ? causes_text() : std::string(trimmed(idea.text));
}

// Where there is no page: the name that was mistyped, names with the same words, or the lists.
std::string where_else(std::string_view topic) {
  const std::vector<std::string> names = names_of_pages();
  const std::vector<std::string> others = other_names_of_pages();
  std::vector<std::string> all = names;
  all.insert(all.end(), others.begin(), others.end());
  const std::string near = nearest_name(topic, all);
  if (!near.empty()) return fmt::format("did you mean `help {}`?", near);
  std::vector<std::string> like = names_near(topic, names);
  if (like.empty()) like = names_near(topic, others);
  if (like.empty()) return "`help` lists the pages, `help words` the words that have one";
  return fmt::format("near it are `help {}`; `help words` lists them all",
                     fmt::join(like, "`, `help "));
}

std::vector<std::string> index_page() {
  std::vector<std::string> lines{"Type a command, or a setting's name and its value: batch 64", "",
                                 "Commands"};
  for (const Command* command : all_commands()) {
    append_row(lines, command->usage, command->summary);
  }
  lines.insert(lines.end(), {"", "Settings (show all lists their values)"});
  for (const SettingRow& row : setting_rows()) {
    append_row(lines, row.name, row.help);
  }
  lines.insert(lines.end(), {"", "Ideas (help NAME)"});
  for (const HelpTopic& topic : idea_topics()) {
    append_row(lines, topic.name, topic.title);
  }
  lines.insert(lines.end(), {"", "Words that are printed have pages: help duty cycle",
                             "Without a screen, or with a screen reader: help plain"});
  lines.insert(lines.end(),
               {"", "Several on a line, as batch 64; run: the first that fails ends it,",
                "at the prompt as in -c and in scripts"});
  lines.insert(lines.end(), {"", "Lightning's own line works too:",
                             "  trainer = Trainer(accelerator=\"tpu\", devices=8)"});
  return lines;
}

}  // namespace

std::vector<OutputLine> help_rows(std::string_view topic) {
  std::vector<OutputLine> rows;
  const auto add = [&](const char* kind, std::string_view name, std::string_view usage,
                       std::string_view summary, std::string_view text) {
    if (!topic.empty() && topic != name) return;
    OutputLine& row = rows.emplace_back();
    row.event = "help";
    row.fields = {{"kind", kind},
                  {"name", std::string(name)},
                  {"usage", std::string(usage)},
                  {"summary", std::string(summary)},
                  {"help", std::string(trimmed(text))}};
  };
  for (const Command* command : all_commands()) {
    add("command", command->name, command->usage, command->summary, command->help);
  }
  for (const SettingRow& row : setting_rows()) {
    add("setting", row.name, fmt::format("{} VALUE", row.name), row.help, row.values);
  }
  for (const HelpTopic& idea : idea_topics()) {
    add("idea", idea.name, fmt::format("help {}", idea.name), idea.title, page_of(idea));
  }
  if (const GlossaryWord* word = find_word(topic)) {
    topic = word->name;
    add("word", word->name, fmt::format("help {}", word->name), word->formula, word->text);
  }
  return rows;
}

std::vector<std::string> help_topics() {
  std::vector<std::string> names = setting_names();
  for (const Command* command : all_commands()) names.emplace_back(command->name);
  for (const HelpTopic& topic : idea_topics()) names.emplace_back(topic.name);
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

std::vector<std::string> help_page(std::string_view topic, const Settings& defaults) {
  if (topic.empty()) return index_page();
  if (topic.starts_with(found_prefix)) topic.remove_prefix(found_prefix.size());
  std::vector<std::string> lines;
  const auto new_section = [&lines] {
    if (!lines.empty()) lines.emplace_back();
  };
  if (const Command* command = find_command(topic)) append_command(lines, *command);
  // What holds of it before a change is a field, too.
  constexpr std::string_view now = "now_";
  const std::string_view name = topic.substr(topic.starts_with(now) ? now.size() : 0);
  if (const SettingRow* row = find_setting(name)) {
    new_section();
    append_setting(lines, *row, defaults);
  }
  for (const HelpTopic& idea : idea_topics()) {
    if (idea.name != topic) continue;
    new_section();
    lines.emplace_back(idea.title);
    for (std::string& line : split(trimmed(page_of(idea)), '\n')) lines.push_back(std::move(line));
  }
  if (const GlossaryWord* word = find_word(topic)) {
    new_section();
    for (std::string& line : page_of(*word)) lines.push_back(std::move(line));
  }
  if (lines.empty()) lines = cause_page(topic);
  const std::string value = lines.empty() ? page_of_value(topic) : std::string();
  if (!value.empty()) append_wrapped(lines, "", value, 0);
  if (!lines.empty()) return lines;
  if (const std::string why = constant_of_machines(topic); !why.empty()) throw Error(why);
  throw Error(fmt::format("there is no help on '{}'; {}", topic, where_else(topic)));
}

}  // namespace tpulab
