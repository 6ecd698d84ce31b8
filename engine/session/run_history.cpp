#include "engine/session/run_history.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/session/run/record_text.h"
#include "engine/session/settings/settings_file.h"

namespace tpulab {

namespace {

constexpr std::size_t most_waiting = 64;
constexpr std::chrono::milliseconds patience_of_readers{500};
constexpr std::chrono::milliseconds patience_of_completion{0};
constexpr std::chrono::milliseconds patience_of_the_end{400};  // after a whole one when it ended

OutputLine line_of(OutputLine::Kind kind, std::string text, std::vector<EventField> fields) {
  OutputLine line;
  line.kind = kind;
  line.text = std::move(text);
  line.event = "kept";
  line.fields = std::move(fields);
  return line;
}

KeptRun kept_run(StoredRun stored) {
  KeptRun run;
  try {
    run.record = record_of_text(stored.figures);
  } catch (const Error& error) {
    run.trouble = error.what();
  }
  run.record.view.number = stored.number;
  run.record.began = stored.began;
  run.settings = std::move(stored.settings);
  return run;
}

// Passes on what the store has to say.
template <class Ask>
auto ask_store(const std::filesystem::path& file, std::vector<std::string>& notes, const Ask& ask) {
  RunStore store(file, patience_of_readers);
  auto answer = ask(store);
  notes.insert(notes.end(), store.notes().begin(), store.notes().end());
  return answer;
}

}  // namespace

std::vector<OutputLine> RunHistory::keep(const RunRecord& record, const Settings& settings) {
  if (!on()) return {};
  const std::lock_guard lock(mutex_);
  waiting_.push_back({.number = 0,
                      .began = record.began,
                      .settings = text_of_settings(settings),
                      .figures = text_of_record(record)});
  if (waiting_.size() > most_waiting) waiting_.pop_front();
  std::vector<std::string> notes;
  std::vector<OutputLine> lines;
  try {
    const auto number = add_waiting(notes);
    told_.clear();
    for (std::string& note : notes) {
      lines.push_back(line_of(OutputLine::Kind::warning, std::move(note), {}));
    }
    lines.push_back(line_of(OutputLine::Kind::text,
                            fmt::format("kept as {}; `runs` lists the kept ones", *number),
                            {{"number", *number}}));
  } catch (const Error& error) {
    if (told_ == error.what()) return {};
    told_ = error.what();
    lines.push_back(
        line_of(OutputLine::Kind::warning,
                told_ + "; the run waits to be kept until that works or the program ends", {}));
  }
  return lines;
}

// The number of the newest. Throws Error; those that were added wait no longer.
std::optional<std::int64_t> RunHistory::add_waiting(std::vector<std::string>& notes) {
  RunStore store(file_);
  std::optional<std::int64_t> number;
  for (; !waiting_.empty(); waiting_.pop_front()) number = store.add(waiting_.front());
  notes = store.notes();
  return number;
}

void RunHistory::keep_waiting() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty() || !on()) return;
  try {
    RunStore store(file_, patience_of_the_end);
    for (; !waiting_.empty(); waiting_.pop_front()) store.add(waiting_.front());
  } catch (const Error&) {
    // It was told why.
  }
}

std::vector<KeptRun> RunHistory::newest(std::int64_t most, std::vector<std::string>& notes) const {
  std::vector<KeptRun> runs;
  for (StoredRun& stored :
       ask_store(file_, notes, [most](RunStore& store) { return store.newest(most); })) {
    runs.push_back(kept_run(std::move(stored)));
  }
  return runs;
}

std::optional<KeptRun> RunHistory::find(std::int64_t number,
                                        std::vector<std::string>& notes) const {
  auto stored = ask_store(file_, notes, [number](RunStore& store) { return store.find(number); });
  if (!stored) return std::nullopt;
  return kept_run(*std::move(stored));
}

std::int64_t RunHistory::count(std::vector<std::string>& notes) const {
  return ask_store(file_, notes, [](RunStore& store) { return store.count(); });
}

std::vector<std::int64_t> RunHistory::numbers_at_a_glance(std::int64_t most) const {
  std::vector<std::int64_t> numbers;
  try {
    RunStore store(file_, patience_of_completion, RunStore::Use::look);
    for (const StoredRun& run : store.newest(most)) numbers.push_back(run.number);
  } catch (const Error&) {
    numbers.clear();  // the command itself says why
  }
  return numbers;
}

std::int64_t RunHistory::forget(std::int64_t number, std::vector<std::string>& notes) {
  return ask_store(file_, notes, [number](RunStore& store) { return store.forget(number); });
}

std::int64_t RunHistory::forget_all(std::vector<std::string>& notes) {
  const std::lock_guard lock(mutex_);
  const std::int64_t gone =
      ask_store(file_, notes, [](RunStore& store) { return store.forget_all(); });
  waiting_.clear();
  return gone;
}

}  // namespace tpulab
