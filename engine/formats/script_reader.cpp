#include "engine/formats/script_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_map>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/utf8.h"

namespace tpulab {

namespace {

constexpr std::size_t longest_word = 200;
constexpr std::size_t most_axes = 64;
constexpr int deepest = 5;  // line, tensors, tensor, shape, extent
constexpr std::int64_t largest_extent = std::int64_t{1} << 40;
// A large network has some thousands; where shapes change each step, as many a step.
constexpr std::size_t most_different_calls = 300'000;

constexpr const char* head_form = R"({"tpulab": "script", "torch": VERSION, "device": DEVICE})";
constexpr const char* call_form =
    R"({"op": NAME, "at": FILE:LINE, "tensors": [[DTYPE, SHAPE, DEVICE], ...]}, "read" in place )"
    R"(of "op", or {"step": NUMBER})";

// What a line cannot be; the reader says where.
struct NoSuchLine {};

void hold(bool condition) {
  if (!condition) throw NoSuchLine{};
}

nlohmann::json object_of(std::string_view line) {
  const auto shallow = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    hold(depth <= deepest);
    return true;
  };
  nlohmann::json object = nlohmann::json::parse(line, shallow, false);
  hold(object.is_object());
  return object;
}

std::string word_of(const nlohmann::json& value) {
  hold(value.is_string());
  const auto& word = value.get_ref<const std::string&>();
  hold(word.size() <= longest_word);
  return word;
}

std::int64_t whole_of(const nlohmann::json& value) {
  hold(value.is_number_integer());
  hold(!value.is_number_unsigned() || value.get<std::uint64_t>() <= INT64_MAX);
  return value.get<std::int64_t>();
}

// Python's whole numbers have any size: what is beyond 64 bits is as far as they reach.
std::int64_t any_whole_of(const nlohmann::json& value) {
  hold(value.is_number());
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return INT64_MAX;
  if (value.is_number_integer()) return value.get<std::int64_t>();
  return value.get<double>() > 0 ? INT64_MAX : INT64_MIN;
}

ScriptTensor tensor_of(const nlohmann::json& value) {
  hold(value.is_array() && value.size() == 3 && value[1].is_array() &&
       value[1].size() <= most_axes);
  ScriptTensor tensor{.dtype = word_of(value[0]), .shape = {}, .device = word_of(value[2])};
  for (const nlohmann::json& one : value[1]) {
    const std::int64_t extent = whole_of(one);
    hold(extent >= 0 && extent <= largest_extent);
    tensor.shape.push_back(extent);
  }
  return tensor;
}

bool flag_of(const nlohmann::json& object, const char* name) {
  const auto flag = object.find(name);
  if (flag == object.end()) return false;
  hold(flag->is_boolean());
  return flag->get<bool>();
}

template <class Read>
auto list_of(const nlohmann::json& object, const char* name, const Read& read) {
  std::vector<decltype(read(object))> list;
  const auto found = object.find(name);
  if (found == object.end()) return list;
  hold(found->is_array());
  for (const nlohmann::json& one : *found) list.push_back(read(one));
  return list;
}

ScriptCall call_of(const nlohmann::json& object) {
  ScriptCall call;
  call.read = object.contains("read");
  hold(call.read != object.contains("op"));
  call.name = word_of(object[call.read ? "read" : "op"]);
  hold(!call.name.empty());
  call.by_optimizer = flag_of(object, "optimizer");
  call.tensors = list_of(object, "tensors", tensor_of);
  call.ints = list_of(object, "ints", any_whole_of);
  call.targets = list_of(object, "to", word_of);
  if (const auto at = object.find("at"); at != object.end()) {
    hold(at->is_string());
    call.at = shortened(at->get_ref<const std::string&>(), longest_word);
  }
  return call;
}

class ScriptReading {
 public:
  ScriptReading(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  ScriptSteps read() {
    read_head();
    std::string_view line;
    while (next(line)) read_line(line);
    script_.left_out = std::ssize(step_);
    if (script_.steps.empty()) {
      throw Error(fmt::format("{}:{}: no step ends in this recording; expected a line {}", name_,
                              line_, R"({"step": 0})"));
    }
    return std::move(script_);
  }

 private:
  // Empty lines are passed over.
  bool next(std::string_view& line) {
    do {
      if (rest_.empty()) return false;
      const std::size_t end = rest_.find('\n');
      last_ = end == std::string_view::npos;
      line = rest_.substr(0, end);
      rest_.remove_prefix(last_ ? rest_.size() : end + 1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      ++line_;
    } while (line.empty());
    return true;
  }

  void read_head() {
    std::string_view line;
    hold_here(line, head_form, [&] {
      hold(next(line) && line.size() <= longest_line_bytes);
      const nlohmann::json head = object_of(line);
      hold(head.value("tpulab", nlohmann::json()) == "script");
      script_.torch = word_of(head.value("torch", nlohmann::json()));
      script_.device = word_of(head.value("device", nlohmann::json()));
    });
  }

  // Steps are alike: of most lines there is nothing to parse.
  void read_line(std::string_view line) {
    const auto known = known_.find(line);
    if (known != known_.end()) {
      step_.push_back(known->second);
      return;
    }
    hold_here(line, call_form, [&] {
      hold(line.size() <= longest_line_bytes);
      const nlohmann::json object = object_of(line);
      if (object.contains("step")) {
        hold(whole_of(object["step"]) == std::ssize(script_.steps));
        script_.steps.push_back(std::move(step_));
        step_.clear();
        return;
      }
      if (script_.calls.size() == most_different_calls) {
        throw Error(fmt::format("{}:{}: more than 300,000 different calls; record fewer steps",
                                name_, line_));
      }
      const auto number = static_cast<std::int32_t>(script_.calls.size());
      script_.calls.push_back(call_of(object));
      known_.emplace(line, number);
      step_.push_back(number);
    });
  }

  // A recording whose program was ended may stop anywhere.
  template <class Reading>
  void hold_here(const std::string_view& line, const char* form, const Reading& reading) {
    try {
      reading();
    } catch (const NoSuchLine&) {
      if (last_ && line_ > 1) return;
      throw Error(fmt::format(
          "{}:{}: '{}' is not what a recording of steps has there; expected {}; "
          "`help script` prints the recorder",
          name_, std::max<std::int64_t>(line_, 1), shortened(line, quoted_bytes), form));
    }
  }

  std::string_view rest_;
  const std::string& name_;
  ScriptSteps script_;
  std::vector<std::int32_t> step_;  // under way
  std::unordered_map<std::string_view, std::int32_t> known_;
  std::int64_t line_ = 0;
  bool last_ = false;
};

}  // namespace

ScriptSteps read_script(std::string_view text, const std::string& name) {
  return ScriptReading(text, name).read();
}

}  // namespace tpulab
