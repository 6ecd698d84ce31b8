#include <nlohmann/json.hpp>

#include "commands/console.h"

namespace tpulab {

namespace {

// Field order is kept: the event first, then its text.
using Json = nlohmann::ordered_json;

std::string text_of(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
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

}  // namespace

std::string json_of(const OutputLine& line) {
  Json object;
  object["event"] = line.event.empty() ? std::string(name_of(line.kind)) : line.event;
  if (!line.text.empty() || line.fields.empty()) object["text"] = line.text;
  for (const EventField& field : line.fields) {
    std::visit([&](const auto& value) { object[field.name] = value; }, field.value);
  }
  return text_of(object);
}

std::string json_of_reply(const std::string& command, const Reply& reply, int line_number) {
  Json object;
  object["reply"] = command;
  object["ok"] = !reply.failed;
  object["lines"] = reply.lines;
  if (reply.failed) object["line"] = line_number;
  return text_of(object);
}

}  // namespace tpulab
