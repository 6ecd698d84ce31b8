// From a typed line to the row that runs it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "commands/ask.h"
#include "commands/command.h"
#include "commands/fit_call.h"
#include "commands/glossary.h"
#include "commands/lessons/player.h"
#include "commands/pasted.h"
#include "commands/questions.h"
#include "commands/trainer_call.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/utf8.h"
#include "engine/session/settings/own_machines.h"

namespace tpulab {

namespace {

struct Alias {
  std::string_view typed;
  std::string_view verb;
};
constexpr std::array<Alias, 6> aliases{{{"exit", "quit"},
                                        {"exit()", "quit"},
                                        {"quit()", "quit"},
                                        {"fit", "run"},
                                        {"?", "help"},
                                        {"q", "quit"}}};

[[noreturn]] void refuse_unknown(const std::string& word) {
  if (const std::string why = constant_of_machines(word); !why.empty()) throw Error(why);
  std::vector<std::string> names;
  for (const Command* command : all_commands()) names.emplace_back(command->name);
  const std::string near = setting_meant_by(word, std::move(names));
  // "memory" is a word of answers: its page says where they have it.
  if (near.empty() && find_word(word) != nullptr) {
    throw Error(fmt::format("'{0}' is no command; `help {0}` says what it is", word));
  }
  if (near.empty()) {
    throw Error(fmt::format("unknown command '{}'; `help` lists commands and settings", word));
  }
  const Command* verb = find_command(near);
  throw Error(fmt::format(
      "unknown command '{}'; did you mean {}? usage: {}", word, near,
      verb != nullptr ? std::string(verb->usage)
                      : fmt::format("{} VALUE, which is {}", near, setting_named(near).values)));
}

const Command* verb_of(const std::string& word) {
  const auto alias = std::ranges::find(aliases, word, &Alias::typed);
  return find_command(alias == aliases.end() ? std::string_view(word) : alias->verb);
}

// "batch 64", "batch=64", "batch = 64" or the name alone.
bool begins_with_a_setting(const std::string& first) {
  const Assignment pair = name_and_value(first);
  return find_setting(pair.name.empty() ? first : pair.name) != nullptr;
}

void check_no_arguments(const Command& verb, Arguments arguments) {
  const bool takes_some = verb.usage.find(' ') != std::string_view::npos;
  if (takes_some || arguments.empty()) return;
  throw Error(fmt::format("{} takes nothing behind it, not '{}'; usage: {}", verb.name,
                          arguments.front(), verb.usage));
}

Reply run_command_text(const std::string& command, CommandContext& context) {
  if (is_trainer_call(command)) return run_trainer_call(command, context);
  if (is_fit_call(command)) {
    check_fit_call(command);
    return find_command("run")->run({}, context);
  }
  const std::vector<std::string> words = typed_words(command);
  const Arguments all(words);
  if (const Command* verb = verb_of(words.front())) {
    check_no_arguments(*verb, all.subspan(1));
    return verb->run(all.subspan(1), context);
  }
  if (assigns_a_call(command)) {
    if (auto reply = answer_pasted(command, context)) return std::move(*reply);
  }
  if (begins_with_a_setting(words.front())) return find_command("set")->run(all, context);
  const Assignment pair = name_and_value(words.front());
  const std::string& first = words.front();
  const bool of_lesson = first == "hint" || first == "back" || first == "skip" || first == "next";
  if (context.lesson && of_lesson && words.size() == 1) {
    return find_command("lesson")->run(all, context);
  }
  if (const auto topic = topic_asked_for(command)) {
    const std::vector<std::string> asked{*topic};
    return find_command("help")->run(asked, context);
  }
  const std::string helps = answer_in_commands(command, context);
  if (context.lesson && context.lesson->asks() && helps.empty()) {
    std::vector<std::string> typed{"answer", command};
    return find_command("lesson")->run(typed, context);
  }
  if (auto reply = answer_pasted(command, context)) return std::move(*reply);
  if (!helps.empty()) throw Error(fmt::format("'{}' is no command; {}", command, helps));
  if (!pair.name.empty()) setting_named(pair.name);  // throws with the nearest setting
  refuse_unknown(words.front());
}

Reply run_safely(const std::string& command, CommandContext& context) {
  try {
    return run_command_text(command, context);
  } catch (const Error& error) {
    Reply reply;
    reply.lines = split(error.what(), '\n');
    reply.failed = true;
    reply.impossible = dynamic_cast<const Impossible*>(&error) != nullptr;
    return reply;
  } catch (const std::exception& error) {
    Reply reply;
    reply.lines = {fmt::format("{} has failed: {}; the session goes on",
                               typed_words(command).front(), text_of_failure(error))};
    reply.failed = true;
    return reply;
  }
}

void append(Reply& whole, Reply part) {
  whole.only_sets = part.only_sets && (whole.lines.empty() || whole.only_sets);
  std::ranges::move(part.lines, std::back_inserter(whole.lines));
  std::ranges::move(part.fields, std::back_inserter(whole.fields));
  std::ranges::move(part.rows, std::back_inserter(whole.rows));
  whole.failed = part.failed;
  whole.impossible = part.impossible;
  whole.asks = part.asks;
  std::ranges::move(part.change.commands, std::back_inserter(whole.change.commands));
  whole.change.quit |= part.change.quit;
  whole.change.clear_output |= part.change.clear_output;
  whole.change.wait |= part.change.wait;
  if (part.change.theme) whole.change.theme = std::move(part.change.theme);
  if (part.change.freeze) whole.change.freeze = part.change.freeze;
  if (part.change.help_topic) whole.change.help_topic = std::move(part.change.help_topic);
  if (part.change.compared) whole.change.compared = part.change.compared;
}

}  // namespace

const Command* find_command(std::string_view name) {
  for (const Command* command : all_commands()) {
    if (command->name == name) return command;
  }
  return nullptr;
}

std::vector<std::string> split_commands(std::string_view text) {
  std::vector<std::string> commands;
  for (const std::string& line : split_lines(text)) {
    for (std::string& command : parts_of(line, ';')) {
      if (!command.empty()) commands.push_back(std::move(command));
    }
  }
  return commands;
}

Reply run_line(std::string_view line, CommandContext& context) {
  Reply whole;
  for (const std::string& command : split_commands(line)) {
    Settings before = context.settings;
    const bool in_lesson =
        context.lesson != nullptr;  // which puts settings aside and brings them back
    Reply part = run_safely(command, context);
    const bool by_hand = !in_lesson && context.lesson == nullptr;
    if (by_hand && context.settings != before) context.before_change = std::move(before);
    if (context.lesson) context.lesson->note(part);
    append(whole, std::move(part));
    if (whole.failed || whole.change.quit) break;
  }
  // Replies quote what was typed, whatever bytes that was.
  for (std::string& text : whole.lines) text = printable(text);
  return whole;
}

}  // namespace tpulab
