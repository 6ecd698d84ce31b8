#include "commands/candidate_words.h"

#include <algorithm>
#include <exception>

#include "commands/command.h"
#include "commands/help.h"
#include "commands/words.h"

namespace tpulab {

namespace {

// What the value would come to, as the reply to it says; nothing where it would be refused.
std::string meaning_of_value(const SettingRow& row, std::string_view value,
                             const Settings& settings) {
  if (row.meaning == nullptr) return {};
  try {
    Settings then = settings;
    return row.parse(then, value) ? row.meaning(then) : std::string();
  } catch (const std::exception&) {
    return {};
  }
}

// The words before the one being typed, in its command.
std::vector<std::string> words_before(std::string_view line) {
  std::vector<std::string> words = typed_words(parts_of(line, ';').back());
  const bool new_word = line.empty() || line.back() == ' ';
  if (!words.empty() && !new_word) words.pop_back();
  return words;
}

// The setting of whose values one is typed behind its name: "precision ", "set precision ".
const SettingRow* setting_before(const std::vector<std::string>& words) {
  if (words.empty()) return nullptr;
  const bool by_verb = words.front() == "set" || words.front() == "show";
  if (words.size() != (by_verb ? 2U : 1U)) return nullptr;
  return find_setting(words.back());
}

Candidate assigned(const std::string& text, const CommandContext& context) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const SettingRow* row = find_setting(name);
  if (row == nullptr) return {text, {}, text, {}};
  if (equals + 1 == text.size()) return {text, "settings", text, std::string(row->help)};
  const std::string value = text.substr(equals + 1);
  return {text, name + "=", value, meaning_of_value(*row, unquoted(value), context.settings)};
}

// A name that has a page of help.
Candidate named(const std::string& text) {
  if (const Command* command = find_command(text)) {
    return {text, "commands", text, std::string(command->summary)};
  }
  if (const SettingRow* row = find_setting(text)) {
    return {text, "settings", text, std::string(row->help)};
  }
  for (const HelpTopic& idea : idea_topics()) {
    if (idea.name == text) return {text, "ideas", text, std::string(idea.title)};
  }
  if (text == "Trainer(" || text == "trainer.fit(model)") {
    return {text, "commands", text, "Lightning's own line, as it is."};
  }
  return {text, {}, text, {}};
}

Candidate described_one(const std::vector<std::string>& before, const std::string& text,
                        const CommandContext& context) {
  if (const SettingRow* row = setting_before(before)) {
    return {text, std::string(row->name), text, meaning_of_value(*row, text, context.settings)};
  }
  if (text.find('=') != std::string::npos) return assigned(text, context);
  const std::string_view first = before.empty() ? std::string_view() : before.front();
  const bool of_names =
      before.empty() || first == "help" || first == "set" || first == "show" || first == "reset";
  return of_names ? named(text) : Candidate{text, {}, text, {}};
}

}  // namespace

std::vector<Candidate> described(std::string_view line_before_cursor,
                                 const std::vector<std::string>& candidates,
                                 const CommandContext& context) {
  const std::vector<std::string> before = words_before(line_before_cursor);
  std::vector<Candidate> all;
  all.reserve(candidates.size());
  for (const std::string& text : candidates) all.push_back(described_one(before, text, context));
  std::ranges::stable_sort(all, {}, &Candidate::group);
  return all;
}

}  // namespace tpulab
