#include "commands/python_call.h"

#include "commands/words.h"
#include "engine/base/text.h"

namespace tpulab {

PythonCall python_call(std::string_view code) {
  const auto bracket = code.find('(');
  PythonCall call{std::string(trimmed(code.substr(0, bracket))), {}};
  if (bracket == std::string_view::npos) return call;
  call.arguments = parts_of(parts_of(code.substr(bracket + 1), ')').front(), ',');
  if (call.arguments.back().empty()) call.arguments.pop_back();
  return call;
}

std::string argument_of(const PythonCall& call, std::string_view name, int place) {
  int at = 0;
  for (const std::string& argument : call.arguments) {
    ++at;
    const Assignment named = name_and_value(argument);
    if (named.name.empty() && at == place) return argument;
    if (!named.name.empty() && named.name == name) return named.value;
  }
  return {};
}

}  // namespace tpulab
