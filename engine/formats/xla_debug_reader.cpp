#include "engine/formats/xla_debug_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/utf8.h"

namespace tpulab {

namespace {

constexpr std::string_view profiler = "pt-xla-profiler: ";
constexpr std::string_view compilation = "Compilation Analysis: ";
constexpr std::string_view execution = "Execution Analysis: ";
constexpr std::string_view post = "Post ";
constexpr std::int64_t largest_count = 1'000'000'000'000'000;
constexpr std::size_t most_operations = 4096;
constexpr std::size_t longest_operation = 120;

// What stands behind `mark` in a line, which a log may begin with words of its own.
std::optional<std::string_view> behind(std::string_view line, std::string_view mark) {
  const auto at = line.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const bool after_post = at >= post.size() && line.substr(at - post.size(), post.size()) == post;
  if (after_post) return std::nullopt;
  return line.substr(at + mark.size());
}

class DebugReader {
 public:
  DebugReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  MetricsReport read() {
    while (!text_.empty()) {
      const auto end = text_.find('\n');
      ++line_;
      read_line(text_.substr(0, end));
      text_ = end == std::string_view::npos ? std::string_view{} : text_.substr(end + 1);
    }
    return report();
  }

 private:
  void read_line(std::string_view line) {
    if (const auto words = behind(line, profiler)) return read_complaint(*words);
    if (const auto words = behind(line, compilation)) {
      compiles_ += trimmed(*words) == "Compilation Cause" ? 1 : 0;
      return;
    }
    if (const auto words = behind(line, execution)) return read_execution(trimmed(*words));
    ++other_lines_;
  }

  // The sentence stands behind the head "Execution Cause".
  void read_execution(std::string_view words) {
    if (words == "Execution Cause") {
      ++executions_;
      cause_next_ = true;
    } else if (std::exchange(cause_next_, false)) {
      const bool accessed = words.starts_with("most likely");
      const bool synced = words.find("mark_step") != words.npos || words.find("sync") != words.npos;
      if (accessed) {
        ++accesses_;
      } else if (synced) {
        ++synced_;
      }
    }
  }

  // "CompileTime too frequent: 21 counts during 11 steps"; sums since the process began.
  void read_complaint(std::string_view words) {
    if (words.starts_with("Op(s) not lowered: ")) return read_operations(words.substr(19));
    const auto at = words.find(" too frequent: ");
    if (at == std::string_view::npos) return;
    const std::string_view what = words.substr(0, at);
    std::string_view rest = words.substr(at + 15);
    const std::int64_t times = number(rest);
    const auto during = rest.find("during ");
    if (during == std::string_view::npos) refuse(words);
    rest = rest.substr(during + 7);
    told_syncs_ = number(rest);
    if (what == "CompileTime") told_compiles_ = times;
    if (what.starts_with("TransferFrom")) told_downloads_ = times;
  }

  void read_operations(std::string_view list) {
    for (const std::string& part : split(list.substr(0, list.find(" Please")), ',')) {
      const std::string_view op = trimmed(part);
      if (op.starts_with("aten::") && operations_.size() < most_operations) {
        operations_.insert(shortened(op, longest_operation));
      }
    }
  }

  std::int64_t number(std::string_view text) {
    std::int64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || value < 0 || value > largest_count) refuse(text);
    return value;
  }

  [[noreturn]] void refuse(std::string_view text) const {
    throw Error(
        fmt::format("{}:{}: '{}' is not what pt-xla-profiler prints there; expected `N "
                    "counts during N steps`, N a whole number from 0 to 10^15",
                    name_, line_, shortened(text, quoted_bytes)));
  }

  // Which values were read the text does not tell: with un-lowered operations they are theirs.
  MetricsReport report() const {
    const std::int64_t compiles = std::max(compiles_, told_compiles_);
    const std::int64_t downloads = std::max(told_downloads_, accesses_);
    MetricsReport report;
    report.reports = 1;
    report.other_lines = other_lines_;
    report.at_least = told_syncs_ < synced_ || told_syncs_ == 0;
    Counters& counters = report.counters;
    const auto series = [&counters](std::string_view name, std::int64_t samples) {
      if (samples == 0) return;
      counters.series.push_back({.name = std::string(name), .samples = samples});
      counters.series.back().unit = MetricUnit::time;
    };
    series("CompileTime", compiles);
    series("ExecuteTime", executions_);
    series("TransferFromDeviceTime", downloads);
    const auto count = [&counters](const std::string& name, std::int64_t times) {
      if (times > 0) counters.counts.emplace_back(name, times);
    };
    count("MarkStep", std::max(told_syncs_, synced_));
    count("UncachedCompile", compiles);
    count("CachedCompile", std::max<std::int64_t>(executions_ - compiles, 0));
    if (operations_.empty()) count("aten::_local_scalar_dense", downloads);
    const std::int64_t ops = std::max<std::int64_t>(std::ssize(operations_), 1);
    for (const std::string& op : operations_) {
      count(op, std::max<std::int64_t>(downloads / ops, 1));
    }
    return report;
  }

  std::string_view text_;
  const std::string& name_;
  std::int64_t line_ = 0;
  std::int64_t other_lines_ = 0;
  bool cause_next_ = false;
  std::int64_t compiles_ = 0;
  std::int64_t executions_ = 0;
  std::int64_t synced_ = 0;
  std::int64_t accesses_ = 0;
  std::int64_t told_compiles_ = 0;
  std::int64_t told_downloads_ = 0;
  std::int64_t told_syncs_ = 0;
  std::set<std::string> operations_;
};

}  // namespace

bool is_xla_debug(std::string_view text) {
  for (const std::string_view mark : {profiler, compilation, execution}) {
    if (text.find(mark) != std::string_view::npos) return true;
  }
  return false;
}

MetricsReport read_xla_debug(std::string_view text, const std::string& name) {
  return DebugReader(text, name).read();
}

}  // namespace tpulab
