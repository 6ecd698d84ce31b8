#include "engine/evidence/point_file.h"

#include <fmt/format.h>

#include <set>
#include <vector>

namespace tpulab {

namespace {

class Reader {
 public:
  Reader(std::string_view text, const std::string& file,
         const std::function<void(const PointEntry&)>& read)
      : file_(file),
        table_(parse_toml(text, file)),
        defaults_(table_["defaults"].as_table()),
        read_(read) {}

  void run() {
    read_lists(table_, nullptr);
    for (const char* key : {"group", "groups"}) {
      for (const toml::table* group : tables_at(table_, key)) {
        if (!read_lists(*group, group)) {
          throw Error(fmt::format("{}:{}: the group has no list 'points'; {}", file_,
                                  group->source().begin.line, format));
        }
      }
    }
    if (ids_.empty()) {
      throw Error(fmt::format("{}:1: there is no point; {}", file_, format));
    }
  }

 private:
  static constexpr const char* format =
      "a points file holds [[point]] tables, or [[group]] tables with points = [{id = ...}, ...]";

  bool read_lists(const toml::table& table, const toml::table* group) {
    bool any = false;
    for (const char* key : {"point", "points"}) {
      for (const toml::table* point : tables_at(table, key)) {
        any = true;
        const PointEntry entry(file_, {defaults_, group, point});
        read_(entry);
        if (!ids_.insert(entry.word("id")).second) {
          throw entry.error("has an id that another point has; choose another");
        }
      }
    }
    return any;
  }

  std::vector<const toml::table*> tables_at(const toml::table& table, const char* key) const {
    std::vector<const toml::table*> found;
    const toml::node* const node = table.get(key);
    if (node == nullptr) return found;
    if (const toml::table* one = node->as_table()) return {one};
    if (const toml::array* array = node->as_array()) {
      for (const toml::node& row : *array) {
        if (row.is_table()) {
          found.push_back(row.as_table());
        } else {
          throw Error(fmt::format("{}:{}: a {} is a table: {{id = ...}}", file_,
                                  row.source().begin.line, key));
        }
      }
      return found;
    }
    throw Error(fmt::format("{}:{}: '{}' is a list of tables; {}", file_, node->source().begin.line,
                            key, format));
  }

  const std::string& file_;
  toml::table table_;
  const toml::table* defaults_;
  const std::function<void(const PointEntry&)>& read_;
  std::set<std::string> ids_;
};

}  // namespace

void for_each_entry(std::string_view text, const std::string& file,
                    const std::function<void(const PointEntry&)>& read) {
  Reader(text, file, read).run();
}

}  // namespace tpulab
