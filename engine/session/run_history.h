// Runs that outlive the program: what is kept when one ends, and what there is of earlier ones.
// Thread-safe. Nothing is opened before the first run ends or somebody asks.
#pragma once

#include <atomic>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/formats/run_store.h"
#include "engine/session/run/run_record.h"
#include "engine/session/settings/settings.h"

namespace tpulab {

struct KeptRun {
  RunRecord record;      // its view has the lasting number
  std::string settings;  // as `save` writes them; of a run that was changed, those at its end
  std::string trouble;   // why the record cannot be read; empty if it can
};

class RunHistory {
 public:
  // An empty path: nothing is kept, as of an engine of a test.
  explicit RunHistory(std::filesystem::path file) : file_(std::move(file)) {}

  bool on() const { return on_ && !file_.empty(); }
  void set_on(bool on) { on_ = on; }
  const std::filesystem::path& file() const { return file_; }

  // Keeps a run that has ended, and those that could not be kept before. Answers what there is to
  // say: its lasting number, or once why it is not kept yet.
  std::vector<OutputLine> keep(const RunRecord& record, const Settings& settings);
  // Tries those again that could not be kept, for the last time.
  void keep_waiting();

  // Newest first. These throw Error as RunStore does; `notes` gets what it has to say beside.
  std::vector<KeptRun> newest(std::int64_t most, std::vector<std::string>& notes) const;
  std::optional<KeptRun> find(std::int64_t number, std::vector<std::string>& notes) const;
  std::int64_t count(std::vector<std::string>& notes) const;
  // Numbers of the newest, to be offered while somebody types: looks without waiting, changes
  // nothing, and answers none where they cannot be read.
  std::vector<std::int64_t> numbers_at_a_glance(std::int64_t most) const;
  // Answer how many runs were forgotten; those that wait are forgotten with all others.
  std::int64_t forget(std::int64_t number, std::vector<std::string>& notes);
  std::int64_t forget_all(std::vector<std::string>& notes);

 private:
  std::optional<std::int64_t> add_waiting(std::vector<std::string>& notes);

  std::filesystem::path file_;
  std::atomic<bool> on_ = true;
  std::mutex mutex_;
  std::deque<StoredRun> waiting_;  // could not be kept yet, oldest first
  std::string told_;               // the complaint that was told last
};

}  // namespace tpulab
