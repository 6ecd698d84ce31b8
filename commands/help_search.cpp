#include "commands/help_search.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr std::array<std::string_view, 9> openings{"what is ",    "what's ",    "whats ",
                                                   "what are ",   "what does ", "what do ",
                                                   "meaning of ", "define ",    "who is "};
constexpr std::array<std::string_view, 3> articles{"a ", "an ", "the "};
constexpr std::array<std::string_view, 2> closings{" mean", " stand for"};

// Too common to say which page is meant.
constexpr std::array<std::string_view, 12> common{"the", "and",  "for",  "with", "are", "how",
                                                  "why", "what", "does", "not",  "can", "use"};

// "units" is asked for as "unit" is.
std::string singular(std::string word) {
  if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss")) word.pop_back();
  return word;
}

std::vector<std::string> telling_words(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string_view word : words_in(text)) {
    if (word.size() < 3 || std::ranges::find(common, lowered(word)) != common.end()) continue;
    words.push_back(singular(lowered(word)));
  }
  return words;
}

}  // namespace

std::string topic_of_question(std::string_view asked) {
  std::string_view topic = trimmed(asked);
  const auto drop_start = [&](std::span<const std::string_view> starts) {
    for (const std::string_view start : starts) {
      if (lowered(topic).starts_with(start))
        return topic = trimmed(topic.substr(start.size())), true;
    }
    return false;
  };
  while (topic.size() > 1 && topic.ends_with('?'))
    topic = trimmed(topic.substr(0, topic.size() - 1));
  if (!drop_start(openings)) return std::string(topic);
  drop_start(articles);
  for (const std::string_view end : closings) {
    if (lowered(topic).ends_with(end)) topic.remove_suffix(end.size());
  }
  return std::string(trimmed(topic));
}

std::vector<std::string> names_near(std::string_view typed, std::span<const std::string> names) {
  constexpr std::size_t most = 3;
  const std::vector<std::string> asked = telling_words(typed);
  std::vector<std::pair<std::ptrdiff_t, std::string>> found;
  for (const std::string& name : names) {
    const std::vector<std::string> words = telling_words(name);
    const auto shared = std::ranges::count_if(asked, [&](const std::string& word) {
      return std::ranges::find(words, word) != words.end();
    });
    if (shared > 0) found.emplace_back(-shared, name);
  }
  // Of those that share as many words, the shortest say least else.
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second.size()) < std::pair(b.first, b.second.size());
  });
  std::vector<std::string> near;
  for (auto& [shared, name] : found) {
    if (near.size() < most && std::ranges::find(near, name) == near.end()) near.push_back(name);
  }
  return near;
}

}  // namespace tpulab
