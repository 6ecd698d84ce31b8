#include "engine/formats/huggingface/config_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "engine/base/error.h"

namespace tpulab {

namespace {

using Json = nlohmann::json;

constexpr std::size_t longest_config = std::size_t{8} << 20;  // names of 20,000 classes: 1 MiB
constexpr int deepest_config = 16;

// "FILE line 3: unexpected '}'; expected string literal"
Error syntax_error(std::string_view text, const std::string& file, const Json::parse_error& error) {
  const std::size_t at = std::min(error.byte, text.size());
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  std::string_view what = error.what();
  const auto column = what.find("column ");
  const auto begins = column == std::string_view::npos ? column : what.find(": ", column);
  if (begins != std::string_view::npos) what.remove_prefix(begins + 2);
  return Error(fmt::format("{} line {}: {}; a config.json is JSON", file, line, what));
}

// Sees each key and each bracket while the library reads.
class Watch {
 public:
  explicit Watch(const std::string& file) : file_(file) {}

  void see(int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > deepest_config) {
      throw Error(fmt::format("{}: it nests deeper than {} brackets; a config.json does not", file_,
                              deepest_config));
    }
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event != Json::parse_event_t::key) return;
    const auto key = parsed.get<std::string>();
    if (keys_.back().insert(key).second) return;
    throw Error(
        fmt::format("{}: field \"{}\" is there twice; keep the one that is meant", file_, key));
  }

 private:
  std::string file_;
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

bool begins_as_json(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

Json parse_config(std::string_view text, const std::string& file) {
  if (text.size() > longest_config) {
    throw Error(fmt::format("{}: it has {} MiB; a config.json has some kilobytes", file,
                            text.size() >> 20));
  }
  Watch watch(file);
  try {
    Json config = Json::parse(text, [&](int depth, Json::parse_event_t event, Json& parsed) {
      watch.see(depth, event, parsed);
      return true;
    });
    if (config.is_object()) return config;
  } catch (const Json::parse_error& error) {
    throw syntax_error(text, file, error);
  } catch (const Json::exception& error) {  // numbers beyond a double
    throw Error(fmt::format("{}: {}; expected the JSON of a config.json", file, error.what()));
  }
  throw Error(
      fmt::format("{}: it is no object of fields; expected the JSON of a config.json", file));
}

}  // namespace tpulab
