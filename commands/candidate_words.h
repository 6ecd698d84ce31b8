// What the candidates of a completion are and mean, for who lists them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

struct CommandContext;

struct Candidate {
  std::string text;     // as it is typed: "model=resnet50"
  std::string group;    // "commands", "settings", "model="
  std::string shown;    // in its group: "resnet50"
  std::string meaning;  // in a line; may be empty
};

// Of what completions() answers for that line, group by group.
std::vector<Candidate> described(std::string_view line_before_cursor,
                                 const std::vector<std::string>& candidates,
                                 const CommandContext& context);

}  // namespace tpulab
