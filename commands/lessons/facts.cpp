#include "commands/lessons/facts.h"

#include <algorithm>
#include <array>

namespace tpulab {

namespace {

// A run, a forecast and a row of a table name alike what is alike only for scripts that know which
// they read.
struct ShortWord {
  struct Field {
    std::string_view name;
    std::string_view event;  // that says it; empty: any
  };
  std::string_view word;
  std::array<Field, 2> fields;
};
constexpr std::array<ShortWord, 7> short_words{{
    {"step", {{{"tpu_step_seconds", {}}, {"step_seconds", {}}}}},
    {"rate", {{{"tpu_samples_per_second_steady", {}}, {"samples_per_second", {}}}}},
    {"run_time", {{{"tpu_seconds", "summary"}, {"run_seconds", {}}}}},
    {"duty", {{{"duty_cycle", {}}}}},
    {"useful", {{{"utilisation", {}}}}},
    {"compiles", {{{"compiles", {}}, {"run_compiles", {}}}}},
    {"accuracy", {{{"test_accuracy", {}}}}},
}};

const EventField* field_named(const std::vector<EventField>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &EventField::name);
  const bool known = found != fields.end() && !std::holds_alternative<std::monostate>(found->value);
  return known ? &*found : nullptr;
}

}  // namespace

void Facts::add(const OutputLine& line) {
  if (!line.fields.empty()) groups_.push_back({line.event, line.fields});
}

void Facts::add(const Reply& reply) {
  for (const OutputLine& row : reply.rows) add(row);
  if (!reply.fields.empty()) groups_.push_back({"reply", reply.fields});
}

std::optional<LessonValue> Facts::find_field(std::string_view name, std::string_view event,
                                             const FactChoice& choice) const {
  std::vector<const EventField*> found;
  for (const Group& group : groups_) {
    const EventField* field = field_named(group.fields, name);
    if (field == nullptr || (!event.empty() && group.event != event)) continue;
    if (!choice.key.empty()) {
      const EventField* key = field_named(group.fields, choice.key);
      const bool is_event = choice.key == "event" && group.event == choice.value;
      if (!is_event && (key == nullptr || text_of(value_of(*key)) != choice.value)) continue;
    }
    found.push_back(field);
  }
  const auto number = static_cast<std::size_t>(choice.number);
  if (found.empty() || number > found.size()) return std::nullopt;
  return value_of(number > 0 ? *found[number - 1] : *found.back());
}

std::optional<LessonValue> Facts::find(std::string_view name, const FactChoice& choice) const {
  const auto word = std::ranges::find(short_words, name, &ShortWord::word);
  if (word == short_words.end()) return find_field(name, {}, choice);
  for (const auto& [field, event] : word->fields) {
    if (auto value = find_field(field, event, choice)) return value;
  }
  return std::nullopt;
}

}  // namespace tpulab
