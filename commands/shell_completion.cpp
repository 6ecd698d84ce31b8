#include "commands/shell_completion.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "commands/command.h"
#include "engine/base/error.h"

namespace tpulab {

namespace {

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

bool is_subcommand(const ShellOption& option) { return !option.names.front().starts_with('-'); }

bool takes_commands(const ShellOption& option) {
  return std::ranges::find(option.names, "--command") != option.names.end();
}

// What may begin a command line of the program.
std::vector<std::string> first_words() {
  std::vector<std::string> words;
  for (const Command* command : all_commands()) words.emplace_back(command->name);
  for (const SettingRow& row : setting_rows()) words.emplace_back(row.name);
  return words;
}

// A shell would obey some characters.
bool is_plain(const std::string& value) {
  constexpr std::string_view signs = "._/+-";
  const auto plain = [&](char byte) {
    const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    return letter || (byte >= '0' && byte <= '9') || signs.find(byte) != signs.npos;
  };
  return !value.empty() && std::ranges::all_of(value, plain);
}

std::vector<std::string> values_of(const ShellOption& option) {
  std::vector<std::string> values = takes_commands(option) ? first_words() : option.values;
  std::erase_if(values, [](const std::string& value) { return !is_plain(value); });
  return values;
}

// Inside single quotes; zsh ends its help at a bracket.
std::string quoted(std::string text) {
  std::erase_if(text, [](char byte) { return byte == '\'' || byte == '[' || byte == ']'; });
  return text;
}

// The cases of `$command:$before`, the subcommand and the word before the one that is typed.
std::string bash_cases(std::span<const ShellOption> options, std::string_view command) {
  std::vector<std::string> names;
  std::string cases;
  std::string deeper;
  for (const ShellOption& option : options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (is_subcommand(option)) deeper += bash_cases(option.own, option.names.front());
    for (const std::string& name : option.names) {
      if (!option.takes_value) continue;
      cases += fmt::format("    {}:{}) words='{}' ;;\n", command, name, joined(values_of(option)));
    }
  }
  return fmt::format("{}{}    {}:*) words='{}' ;;\n", deeper, cases, command, joined(names));
}

std::vector<std::string> subcommands_of(std::span<const ShellOption> options) {
  std::vector<std::string> names;
  for (const ShellOption& option : options) {
    if (is_subcommand(option)) names.push_back(option.names.front());
  }
  return names;
}

// Bash splits words at =, so that "--theme=l" comes as three of them.
std::string for_bash(std::span<const ShellOption> options) {
  return fmt::format(R"(_tpulab() {{
  local words command= known
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for known in {}; do
    [[ " ${{COMP_WORDS[*]:1:COMP_CWORD - 1}} " != *" $known "* ]] || command=$known
  done
  case $command:$before in
{}  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}}
complete -o default -F _tpulab tpulab
)",
                     joined(subcommands_of(options)), bash_cases(options, ""));
}

std::string zsh_options(std::span<const ShellOption> options) {
  std::string text;
  for (const ShellOption& option : options) {
    if (is_subcommand(option)) continue;
    const std::vector<std::string> values = values_of(option);
    const std::string choice = values.empty() ? "_files" : "(" + joined(values) + ")";
    for (const std::string& name : option.names) {
      const bool long_value = option.takes_value && name.starts_with("--");
      text +=
          fmt::format(" \\\n  '({}){}{}[{}]{}'", joined(option.names), name, long_value ? "=" : "",
                      quoted(option.help), option.takes_value ? ":value:" + choice : "");
    }
  }
  return text;
}

std::string for_zsh(std::span<const ShellOption> options) {
  std::string text = "#compdef tpulab\n";
  for (const ShellOption& option : options) {
    if (!is_subcommand(option)) continue;
    text += fmt::format(
        "if (( ${{words[(I){0}]}} && ${{words[(I){0}]}} < CURRENT )); then\n"
        "_arguments '1: :({0})'{1}\nreturn\nfi\n",
        option.names.front(), zsh_options(option.own));
  }
  return text + fmt::format("_arguments{} \\\n  '1:script:{{compadd {}; _files}}'\n",
                            zsh_options(options), joined(subcommands_of(options)));
}

// `condition` says behind which subcommand they are offered.
std::string fish_options(std::span<const ShellOption> options, const std::string& condition) {
  std::string text;
  for (const ShellOption& option : options) {
    text += fmt::format("complete -c tpulab -n '{}'", condition);
    for (const std::string& name : option.names) {
      if (is_subcommand(option)) {
        text += fmt::format(" -a {}", name);
      } else {
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
    }
    const std::vector<std::string> values = values_of(option);
    if (option.takes_value) {
      text += values.empty() ? " -r" : fmt::format(" -x -a '{}'", joined(values));
    }
    text += fmt::format(" -d '{}'\n", quoted(option.help));
  }
  return text;
}

std::string for_fish(std::span<const ShellOption> options) {
  const std::string seen = "__fish_seen_subcommand_from ";
  std::string text = fish_options(options, "not " + seen + joined(subcommands_of(options)));
  for (const ShellOption& option : options) {
    if (is_subcommand(option)) text += fish_options(option.own, seen + option.names.front());
  }
  return text;
}

}  // namespace

std::string shell_completion(std::string_view shell, std::span<const ShellOption> options) {
  if (shell == "bash") return for_bash(options);
  if (shell == "zsh") return for_zsh(options);
  if (shell == "fish") return for_fish(options);
  throw Error(fmt::format("no completion for {}; there is one for bash, zsh and fish", shell));
}

}  // namespace tpulab
