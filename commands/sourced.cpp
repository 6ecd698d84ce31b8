#include "commands/sourced.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "commands/trainer_call.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

struct Reading {
  std::vector<std::string> way = {};  // the files that lead to this one
  std::vector<SourcedCommand> commands = {};
  int files = 0;
};

void add(const std::string& file, Reading& reading) {
  auto& [way, commands, files] = reading;
  way.push_back(file);
  if (way.size() > deepest_source) {
    throw Error(fmt::format("source goes deeper than {} files: {}; does one source itself?",
                            deepest_source, fmt::join(way, " > ")));
  }
  if (++files > most_source_files) {
    throw Error(fmt::format("{} sources more than {} files; make it shorter", way.front(),
                            most_source_files));
  }
  const std::vector<std::string> lines = split(read_file(file), '\n');
  std::size_t at = 0;
  const auto next = [&](std::string& line) {
    if (at == lines.size()) return false;
    line = lines[at++];
    return true;
  };
  for (std::string line; next(line);) {
    const std::size_t number = at;
    for (const std::string& command : split_commands(whole_call(std::move(line), next))) {
      const std::vector<std::string> words = typed_words(command);
      if (words.size() == 2 && words[0] == "source") {
        add(file_named(words[1]), reading);
      } else {
        commands.push_back({command, fmt::format("{}:{}", file, number)});
      }
      if (commands.size() > most_sourced) {
        throw Error(fmt::format("{} comes to more than {} commands; make it shorter", way.front(),
                                most_sourced));
      }
    }
  }
  way.pop_back();
}

}  // namespace

std::vector<SourcedCommand> sourced(const std::string& file) {
  Reading reading;
  add(file, reading);
  return std::move(reading.commands);
}

}  // namespace tpulab
