// The fields of a config.json, asked for one by one: what nobody asks for is named at the end.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

// Errors name file and field, what stands there and what was expected. A field that is null counts
// as one that is not there, as in Transformers.
class ConfigFields {
 public:
  ConfigFields(nlohmann::json object, std::string file);

  // From 1 to `most`; throws where it is not there.
  std::int64_t whole(std::string_view name, std::int64_t most);
  std::int64_t whole_or(std::string_view name, std::int64_t most, std::int64_t otherwise);
  std::vector<std::int64_t> wholes(std::string_view name, std::int64_t most);
  double share_or(std::string_view name, double otherwise);  // from 0 to 1
  double size_or(std::string_view name, double otherwise);   // above 0
  bool flag_or(std::string_view name, bool otherwise);
  std::string word(std::string_view name);
  std::string word_or(std::string_view name, std::string_view otherwise);
  std::vector<std::string> words(std::string_view name);  // none where it is not there
  // Entries of an object or a list; 0 where it is not there.
  std::int64_t entries(std::string_view name);
  bool has(std::string_view name) const;

  // Throws unless it is not there or says one of these, which is all that the network does.
  void only(std::string_view name, std::initializer_list<std::string_view> words);
  void only_flag(std::string_view name, bool flag);
  // Of a network that is not this one.
  void ignore(std::string_view name) { asked_.emplace(name); }
  void none_inside(std::string_view name, std::string_view key) const;  // of an object
  [[noreturn]] void refuse(std::string_view name, std::string_view why) const;

  // True if a share of values is dropped that nobody asked for, whatever the field is called.
  bool drops_values() const;
  // Throws for the first field that was not asked for and may change the network.
  void expect_all_known(std::string_view kind) const;

 private:
  const nlohmann::json* find(std::string_view name);
  [[noreturn]] void wrong(std::string_view name, const std::string& expected) const;

  nlohmann::json object_;
  std::string file_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace tpulab
