// The pages of help: made of the tables of commands and settings, and of texts on the ideas.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/settings/settings.h"
#include "engine/session/snapshot.h"

namespace tpulab {

// An idea explained; lines of at most 78 columns.
struct HelpTopic {
  std::string_view name;
  std::string_view title;
  std::string_view text;
};
std::span<const HelpTopic> idea_topics();

// One for each name that is known of `topic`, all for an empty one: rows "help" for scripts.
std::vector<OutputLine> help_rows(std::string_view topic);

// The names of commands, settings and ideas; help_page() knows those of the glossary, too.
std::vector<std::string> help_topics();
// The page's lines; the list of pages for an empty topic. Throws Error with the nearest name.
std::vector<std::string> help_page(std::string_view topic, const Settings& defaults = Settings());

}  // namespace tpulab
