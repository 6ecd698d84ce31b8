#include "engine/session/run/checkpoint_writer.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/write_file.h"
#include "engine/session/run/checkpoint_file.h"

namespace tpulab {

void CheckpointWriter::take(const SaveCheckpoint& wanted, const Run* newest) {
  if (wanted.every >= 0) {
    kept_ = wanted;
    return;
  }
  if (newest == nullptr) throw Impossible("there is no run to keep; `run` first");
  write(wanted, *newest);
  if (newest->state() != RunState::training) wait();
}

void CheckpointWriter::wait() {
  if (writing_.joinable()) writing_.join();
}

// As often as its settings save; one that was resumed as often as it was asked for, where they save
// behind epochs alone.
bool CheckpointWriter::is_due(const Run& run) const {
  if (kept_.every <= 0) return false;
  const std::int64_t saved = run.settings().save_every_n_steps;
  const std::int64_t every = saved > 0 || !run.resumed() ? saved : kept_.every;
  const Loop& loop = run.steps().loop();
  const bool behind_epoch = loop.rows_seen() == 0 || loop.rows_of_step() == 0;
  return every > 0 ? run.step() % every == 0 : behind_epoch;
}

void CheckpointWriter::note_step(const Run& run) {
  const bool due = is_due(run);
  due_behind_ = due && run.has_weights() ? run.step() : 0;
  if (!due || run.has_weights() || run.number() == told_of_) return;
  told_of_ = run.number();
  const std::string none = fmt::format(
      "{} is not written: run {} in time only has no weights to keep", kept_.file, run.number());
  log_.add(OutputLine::Kind::warning, none, "not_written", {{"message", none}});
}

// A run that lost its slice is behind an earlier step by now.
void CheckpointWriter::write_due(const Run& run) {
  const std::int64_t due = std::exchange(due_behind_, 0);
  if (due == 0 || due != run.step()) return;
  try {
    write(kept_, run);
  } catch (const std::exception& error) {
    kept_.every = 0;  // it would be as impossible behind the next steps
    log_.add(OutputLine::Kind::error, error.what(), "impossible", {{"message", error.what()}});
  }
}

// What is written is a copy: the run goes on meanwhile.
void CheckpointWriter::write(const SaveCheckpoint& wanted, const Run& run) {
  const std::string& file = wanted.file;
  std::string text = run.checkpoint();
  const std::string more = longer_run(run.settings(), run.steps().loop().place());
  OutputLine line;
  line.text = fmt::format("{}: run {} behind step {}; `resume {}{}{}` goes on from there", file,
                          run.number(), run.step(), wanted.typed, more.empty() ? "" : " ", more);
  // A script waits for the end.
  if (run.settings().max_epochs == -1 && run.settings().max_steps == -1) {
    line.text += fmt::format(", in a script with max_steps={}", limit_beyond(run.step()));
  }
  line.event = "checkpoint";
  line.fields = {{"file", file}, {"run", run.number()}, {"step", run.step()}};
  wait();  // or the older could land last
  writing_ = std::jthread([this, file, text = std::move(text), line = std::move(line)] {
    try {
      write_file(file, text);
      log_.add(line);
      told_ = false;
    } catch (const std::exception& error) {
      failure_ = error.what();
      ++lost_;
      if (told_.exchange(true)) return;
      log_.add(OutputLine::Kind::error, failure_, "failure",
               {{"message", failure_}, {"file", file}});
    }
  });
}

void CheckpointWriter::end_run(const Run& run) {
  write_due(run);
  wait();
  const std::int64_t lost = std::exchange(lost_, 0);
  if (lost < 2) return;
  const std::string all = fmt::format("{} checkpoints of run {} are not written: {}",
                                      text_with_commas(lost), run.number(), failure_);
  log_.add(OutputLine::Kind::error, all, "failure", {{"message", all}});
}

}  // namespace tpulab
