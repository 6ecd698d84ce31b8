#include "engine/session/settings/own_data_files.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <mutex>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/formats/data/gzip.h"
#include "engine/formats/data/own_data.h"

namespace tpulab {

namespace {

constexpr std::size_t largest_data = std::size_t{512} << 20;
constexpr std::size_t most_versions = 64;  // of all files: a run may still read any of them

class KnownData {
 public:
  const OwnData* find(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = newest_.find(name);
    return found == newest_.end() ? nullptr : found->second;
  }
  const OwnData& keep(const std::string& name, OwnData data) {
    const std::lock_guard lock(mutex_);
    const auto found = newest_.find(name);
    if (found != newest_.end() && same(*found->second, data)) return *found->second;
    if (versions_.size() >= most_versions) {
      throw Error(fmt::format("{} files of data were read; leave and begin anew", most_versions));
    }
    return *(newest_[name] = &versions_.emplace_back(std::move(data)));
  }

 private:
  static bool same(const OwnData& one, const OwnData& other) {
    return one.found == other.found && one.set.values == other.set.values &&
           one.set.labels == other.set.labels;
  }

  std::mutex mutex_;
  std::deque<OwnData> versions_;
  std::map<std::string, const OwnData*> newest_;
};

KnownData& known_data() {
  static KnownData all;
  return all;
}

DataFile file_named(const std::string& name) {
  return {name, unpacked(read_file(name, largest_data), name, largest_data)};
}

const OwnData& read_own_file(const std::string& name) {
  const auto comma = name.find(',');
  const DataFile rows = file_named(std::string(trimmed(name.substr(0, comma))));
  const std::string labels = comma == std::string::npos
                                 ? idx_labels_of(rows)
                                 : std::string(trimmed(name.substr(comma + 1)));
  const std::optional<DataFile> classes =
      labels.empty() ? std::nullopt : std::optional(file_named(labels));
  return known_data().keep(name, read_own_data(rows, classes));
}

const OwnData& known_or_read(const std::string& name) {
  const OwnData* const known = known_data().find(name);
  return known != nullptr ? *known : read_own_file(name);
}

}  // namespace

bool names_data_file(std::string_view data) {
  return means_a_file(data) || data.find("idx") != std::string_view::npos;
}

void read_data_file(const std::string& name) { read_own_file(name); }
const Dataset& data_file(const std::string& name) { return known_or_read(name).set; }
std::string found_in_data_file(const std::string& name) { return known_or_read(name).found; }

}  // namespace tpulab
