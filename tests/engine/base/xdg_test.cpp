#include "engine/base/xdg.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <string>

namespace tpulab::test::xdg_test {
namespace {

// Sets variables for one test; null takes one away.
class Xdg : public testing::Test {
 protected:
  Xdg() {
    for (const char* name : names) {
      const char* const value = std::getenv(name);
      before_.emplace_back(value == nullptr ? std::nullopt : std::optional<std::string>(value));
      set(name, nullptr);
    }
  }
  ~Xdg() override {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      set(names[i], before_[i] ? before_[i]->c_str() : nullptr);
    }
  }
  static void set(const char* name, const char* value) {
    if (value == nullptr) ::unsetenv(name);
    if (value != nullptr) ::setenv(name, value, 1);
  }

 private:
  static constexpr std::array<const char*, 5> names{"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
                                                    "XDG_STATE_HOME", "XDG_CONFIG_DIRS"};
  std::vector<std::optional<std::string>> before_;
};

using Folders = std::vector<std::filesystem::path>;

TEST_F(Xdg, variables_come_before_the_home) {
  set("HOME", "/people/eva");
  EXPECT_EQ(user_config_folder(), "/people/eva/.config/tpulab");
  EXPECT_EQ(user_state_folder(), "/people/eva/.local/state/tpulab");
  EXPECT_EQ(user_data_folder(), "/people/eva/.local/share/tpulab");
  set("XDG_CONFIG_HOME", "/c");
  set("XDG_STATE_HOME", "/s");
  EXPECT_EQ(user_config_folder(), "/c/tpulab");
  EXPECT_EQ(user_state_folder(), "/s/tpulab");
  set("XDG_DATA_HOME", "/d");
  EXPECT_EQ(user_data_folder(), "/d/tpulab");
}

TEST_F(Xdg, a_path_that_is_not_absolute_counts_as_not_set) {
  set("XDG_CONFIG_HOME", "c");
  set("XDG_CONFIG_DIRS", "here:./there:");
  EXPECT_FALSE(user_config_folder());
  EXPECT_EQ(site_config_folders(), Folders{"/etc/xdg/tpulab"});
  set("HOME", "home");
  EXPECT_FALSE(user_config_folder());
  EXPECT_FALSE(user_state_folder());
}

TEST_F(Xdg, site_wide_folders_are_listed_in_order) {
  EXPECT_EQ(site_config_folders(), Folders{"/etc/xdg/tpulab"});
  set("XDG_CONFIG_DIRS", "/a:b:/c");
  EXPECT_EQ(site_config_folders(), (Folders{"/a/tpulab", "/c/tpulab"}));
}

}  // namespace
}  // namespace tpulab::test::xdg_test
