// Runs in one SQLite file that outlives the program. Several programs may use it at once; it is
// opened for each call and closed after it, so that nobody holds it while nothing is written.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tpulab {

struct StoredRun {
  std::int64_t number = 0;  // given by the store, counting up; none is given twice
  std::int64_t began = 0;   // seconds since 1970, UTC
  std::string settings;     // as `save` writes them
  std::string figures;      // a JSON object
};

// Every function throws Error, which names the file: it cannot be read or written, another program
// holds it for longer than `patience`, or a newer tpulab has written it. A damaged file is moved
// aside and a new one begun; notes() tells where it went. Who only looks changes nothing on the
// disk: there a damaged file is an Error, too.
class RunStore {
 public:
  enum class Use : std::uint8_t { look, keep };

  explicit RunStore(std::filesystem::path file,
                    std::chrono::milliseconds patience = std::chrono::milliseconds(1500),
                    Use use = Use::keep)
      : file_(std::move(file)), patience_(patience), use_(use) {}

  // Answers the number it got. Folder and file are made, for their owner alone.
  std::int64_t add(const StoredRun& run);
  // Newest first; none if there is no file yet.
  std::vector<StoredRun> newest(std::int64_t most);
  std::optional<StoredRun> find(std::int64_t number);
  std::int64_t count();
  // What is forgotten is overwritten in the file. Both answer how many runs these were.
  std::int64_t forget(std::int64_t number);
  std::int64_t forget_all();

  const std::vector<std::string>& notes() const { return notes_; }

 private:
  template <class Work>
  auto on_file(bool to_write, const Work& work);
  std::vector<StoredRun> selected(std::string_view condition, std::int64_t value);
  void move_aside();

  std::filesystem::path file_;
  std::chrono::milliseconds patience_;
  Use use_;
  std::vector<std::string> notes_;
};

}  // namespace tpulab
