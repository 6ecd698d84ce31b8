#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands/console.h"

namespace tpulab {

namespace {

// Field order is kept: the event first, then its text.
using Json = nlohmann::ordered_json;

// In ASCII: what a terminal could obey is escaped, and means the same to who reads the JSON.
std::string json_text(const Json& object) {
  return object.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string_view name_of(OutputLine::Kind kind) {
  switch (kind) {
    case OutputLine::Kind::text:
      return "text";
    case OutputLine::Kind::command:
      return "command";
    case OutputLine::Kind::warning:
      return "warning";
    case OutputLine::Kind::error:
      return "error";
    case OutputLine::Kind::good:
      return "good";
  }
  return "text";
}

Json json_of_value(std::monostate) { return nullptr; }
template <class Value>
Json json_of_value(const Value& value) {
  return value;
}

void add_fields(Json& object, const std::vector<EventField>& fields) {
  for (const EventField& field : fields) {
    object[field.name] =
        std::visit([](const auto& value) { return json_of_value(value); }, field.value);
  }
}

}  // namespace

std::string json_of(const OutputLine& line) {
  Json object;
  object["event"] = line.event.empty() ? std::string(name_of(line.kind)) : line.event;
  if (!line.text.empty() || line.fields.empty()) object["text"] = line.text;
  add_fields(object, line.fields);
  return json_text(object);
}

std::string json_of_reply(const std::string& command, const Reply& reply, const Place& place,
                          int exit_code) {
  Json object;
  object["reply"] = command;
  object["ok"] = exit_code == 0;
  object["text"] = fmt::format("{}", fmt::join(reply.lines, "\n"));
  if (exit_code != 0) {
    object["line"] = place.number;
    object["where"] = place.where;
    object["exit_code"] = exit_code;
  }
  add_fields(object, reply.fields);
  return json_text(object);
}

}  // namespace tpulab
