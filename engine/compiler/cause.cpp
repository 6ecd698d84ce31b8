// Why a program had to be compiled: the difference of two fingerprints in words.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/compiler/fingerprint.h"

namespace tpulab {

namespace {

using Lines = std::vector<std::string>;

// What stands in one list and not in the other, or more often: of equals the last.
struct Aligned {
  std::vector<std::size_t> removed;  // indices into `before`
  std::vector<std::size_t> added;    // indices into `now`
};

// Indices of those lines from `first` to `end` that `others` do not have.
std::vector<std::size_t> missing_in(std::span<const std::string> others, const Lines& lines,
                                    std::size_t first, std::size_t end) {
  std::unordered_map<std::string_view, int> had(others.size());
  for (const std::string& line : others) ++had[line];
  std::vector<std::size_t> missing;
  for (std::size_t i = first; i < end; ++i) {
    if (--had[lines[i]] < 0) missing.push_back(i);
  }
  return missing;
}

Aligned align(const Lines& before, const Lines& now) {
  std::size_t head = 0;
  while (head < before.size() && head < now.size() && before[head] == now[head]) ++head;
  std::size_t tail = 0;
  while (tail + head < before.size() && tail + head < now.size() &&
         before[before.size() - 1 - tail] == now[now.size() - 1 - tail]) {
    ++tail;
  }
  const auto middle = [&](const Lines& lines) {
    return std::span(lines).subspan(head, lines.size() - head - tail);
  };
  return {missing_in(middle(now), before, head, before.size() - tail),
          missing_in(middle(before), now, head, now.size() - tail)};
}

std::string label_of(const std::string& input) {
  const std::size_t space = input.rfind(' ');
  return space == std::string::npos ? std::string() : input.substr(space + 1);
}

std::string type_of(const std::string& input) { return input.substr(0, input.find(' ')); }

bool scalar_input(const std::string& input) { return input.find(" scalar") != std::string::npos; }

// "constant 1 f32[]" -> "1"
std::string constant_value(const std::string& op) {
  if (!op.starts_with("constant ")) return {};
  const std::string rest = op.substr(9);
  const std::size_t equals = rest.find('=');
  const std::string value = equals == std::string::npos ? rest : rest.substr(equals + 1);
  return value.substr(0, value.find_first_of(" ,"));
}

using Change = std::pair<std::string, std::string>;

// The numbers in which two texts differ, if they differ in nothing else.
std::optional<std::vector<Change>> changed_numbers(std::string_view was, std::string_view is) {
  std::vector<Change> changes;
  const auto number = [](std::string_view& text) {
    std::size_t length = 0;
    while (length < text.size() && text[length] >= '0' && text[length] <= '9') ++length;
    std::string digits(text.substr(0, length));
    text.remove_prefix(length);
    return digits;
  };
  while (!was.empty() || !is.empty()) {
    const std::string before = number(was);
    const std::string now = number(is);
    if (before.empty() != now.empty()) return std::nullopt;
    if (before != now) changes.emplace_back(before, now);
    if (!before.empty()) continue;
    if (was.empty() || is.empty() || was.front() != is.front()) return std::nullopt;
    was.remove_prefix(1);
    is.remove_prefix(1);
  }
  return changes;
}

// True if the texts differ by nothing but `known` changes.
bool follows(std::string_view was, std::string_view is, const std::vector<Change>& known) {
  const auto changes = changed_numbers(was, is);
  return changes && std::ranges::all_of(*changes, [&](const Change& change) {
           return std::ranges::find(known, change) != known.end();
         });
}

// Extents of paired inputs that changed: what op attributes and other inputs may follow.
std::vector<Change> changed_extents(const Fingerprint& before, const Fingerprint& now) {
  const Aligned inputs = align(before.inputs, now.inputs);
  std::vector<Change> all;
  for (std::size_t k = 0; k < std::min(inputs.removed.size(), inputs.added.size()); ++k) {
    const auto changes =
        changed_numbers(before.inputs[inputs.removed[k]], now.inputs[inputs.added[k]]);
    if (changes) all.insert(all.end(), changes->begin(), changes->end());
  }
  return all;
}

void describe_inputs(const Fingerprint& before, const Fingerprint& now, const Aligned& ops,
                     Lines& out) {
  const Aligned inputs = align(before.inputs, now.inputs);
  std::size_t paired = std::min(inputs.removed.size(), inputs.added.size());
  for (std::size_t k = 0; k < paired; ++k) {
    const std::string& was = before.inputs[inputs.removed[k]];
    const std::string& is = now.inputs[inputs.added[k]];
    out.push_back(
        type_of(was) == type_of(is)
            ? fmt::format("input {}: {} -> {}", inputs.added[k], was, is)
            : fmt::format("input {}: {} -> {}", inputs.added[k], type_of(was), type_of(is)));
  }
  for (std::size_t k = paired; k < inputs.removed.size(); ++k) {
    const std::string& was = before.inputs[inputs.removed[k]];
    std::string value;
    for (const std::size_t op : ops.added) {
      if (value.empty()) value = constant_value(now.ops[op]);
    }
    if (scalar_input(was) && !value.empty()) {
      out.push_back(fmt::format("scalar {} is now the constant {} (0, 1 and -1 are compiled in)",
                                label_of(was), value));
    } else {
      out.push_back(fmt::format("input {} gone: {}", inputs.removed[k], was));
    }
  }
  for (std::size_t k = paired; k < inputs.added.size(); ++k) {
    const std::string& is = now.inputs[inputs.added[k]];
    std::string value;
    for (const std::size_t op : ops.removed) {
      if (value.empty()) value = constant_value(before.ops[op]);
    }
    if (scalar_input(is) && !value.empty()) {
      out.push_back(fmt::format("scalar {} is no longer the constant {}", label_of(is), value));
    } else {
      out.push_back(fmt::format("new input {}: {}", inputs.added[k], is));
    }
  }
}

// Pairs of ops whose attributes only follow the inputs' extents tell nothing of their own.
void drop_followers(Lines& gone, Lines& fresh, const std::vector<Change>& extents) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < gone.size(); ++i) {
    if (follows(gone[i], fresh[i], extents)) continue;
    gone[kept] = gone[i];
    fresh[kept++] = fresh[i];
  }
  gone.resize(kept);
  fresh.resize(kept);
}

// Inputs whose change repeats the first one's stand last: the labels' rows follow the images'.
void move_followers_back(Lines& found) {
  const auto first = std::ranges::find_if(
      found, [](const std::string& line) { return line.starts_with("input "); });
  if (first == found.end()) return;
  const auto changes_of = [](const std::string& line) -> std::optional<std::vector<Change>> {
    const std::size_t colon = line.find(": ");
    const std::size_t arrow = line.find(" -> ");
    if (!line.starts_with("input ") || colon == std::string::npos || arrow == std::string::npos) {
      return std::nullopt;
    }
    return changed_numbers(std::string_view(line).substr(colon + 2, arrow - colon - 2),
                           std::string_view(line).substr(arrow + 4));
  };
  const auto known = changes_of(*first);
  if (!known) return;
  std::stable_partition(first + 1, found.end(), [&](const std::string& line) {
    const auto changes = changes_of(line);
    return !changes || !std::ranges::all_of(*changes, [&](const Change& change) {
      return std::ranges::find(*known, change) != known->end();
    });
  });
}

void describe_ops(const Fingerprint& before, const Fingerprint& now, const Aligned& ops,
                  bool scalars_explained, const std::vector<Change>& extents, Lines& out) {
  Lines gone;
  Lines fresh;
  for (const std::size_t i : ops.removed) {
    if (!scalars_explained || constant_value(before.ops[i]).empty()) gone.push_back(before.ops[i]);
  }
  for (const std::size_t i : ops.added) {
    if (!scalars_explained || constant_value(now.ops[i]).empty()) fresh.push_back(now.ops[i]);
  }
  if (gone.size() == fresh.size()) drop_followers(gone, fresh, extents);
  const std::size_t paired = std::min(gone.size(), fresh.size());
  if (paired > 0 && gone.size() == fresh.size()) {
    const std::string more = paired > 1 ? fmt::format(" (and {} more)", paired - 1) : "";
    out.push_back(fmt::format("op: {} -> {}{}", gone[0], fresh[0], more));
    return;
  }
  if (!fresh.empty()) {
    out.push_back(fmt::format("{} new op{}: {}{}", fresh.size(), fresh.size() == 1 ? "" : "s",
                              fresh[0], fresh.size() > 1 ? ", ..." : ""));
  }
  if (!gone.empty()) {
    out.push_back(fmt::format("{} op{} gone: {}{}", gone.size(), gone.size() == 1 ? "" : "s",
                              gone[0], gone.size() > 1 ? ", ..." : ""));
  }
}

void describe_outputs(const Fingerprint& before, const Fingerprint& now, Lines& out) {
  if (before.outputs.size() == now.outputs.size()) return;
  const Aligned outputs = align(before.outputs, now.outputs);
  const bool more = now.outputs.size() > before.outputs.size();
  const std::string which =
      more ? now.outputs[outputs.added.front()] : before.outputs[outputs.removed.front()];
  out.push_back(fmt::format("live outputs: {} -> {} ({} {})", before.outputs.size(),
                            now.outputs.size(), which, more ? "is kept too" : "is kept no more"));
}

void describe_sequence(const Fingerprint& before, const Fingerprint& now, Lines& out) {
  if (before.sequence == now.sequence || before.inputs.size() != now.inputs.size()) return;
  for (std::size_t i = 0; i < now.sequence.size(); ++i) {
    if (before.sequence[i] == now.sequence[i]) continue;
    const bool joined = now.sequence[i] != static_cast<int>(i);
    out.push_back(joined ? fmt::format("inputs {} and {} are now one buffer", now.sequence[i], i)
                         : fmt::format("input {} is now a buffer of its own", i));
    return;
  }
}

}  // namespace

std::vector<std::string> describe_difference(const Fingerprint& before, const Fingerprint& now) {
  Lines found;
  const Aligned ops = align(before.ops, now.ops);
  describe_inputs(before, now, ops, found);
  const auto any_starts = [&](std::string_view start) {
    return std::ranges::any_of(found,
                               [&](const std::string& line) { return line.starts_with(start); });
  };
  const bool scalars_explained = any_starts("scalar ");
  if (before.topology != now.topology) {
    found.insert(found.begin(), fmt::format("topology: {} -> {}", before.topology, now.topology));
  }
  describe_sequence(before, now, found);
  describe_ops(before, now, ops, scalars_explained, changed_extents(before, now), found);
  describe_outputs(before, now, found);
  if (found.empty() && before.donated != now.donated) {
    found.emplace_back("other input buffers are given up for outputs");
  }
  if (found.empty()) found.emplace_back("the same ops, wired differently");
  move_followers_back(found);
  return found;
}

}  // namespace tpulab
