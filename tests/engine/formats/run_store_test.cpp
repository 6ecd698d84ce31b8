#include "engine/formats/run_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/write_file.h"
#include "tests/temporary_folder.h"

namespace tpulab::run_store_test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

StoredRun run_of(std::int64_t began) {
  return {.number = 0, .began = began, .settings = "a", .figures = "{}"};
}

// Answers what it says, or "" if nothing is wrong.
template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// What somebody else does to the file.
class Somebody {
 public:
  explicit Somebody(const fs::path& file) {
    EXPECT_EQ(sqlite3_open(file.c_str(), &database_), SQLITE_OK);
  }
  ~Somebody() { sqlite3_close(database_); }
  Somebody(const Somebody&) = delete;
  Somebody& operator=(const Somebody&) = delete;

  void does(const char* statements) {
    EXPECT_EQ(sqlite3_exec(database_, statements, nullptr, nullptr, nullptr), SQLITE_OK);
  }

 private:
  sqlite3* database_ = nullptr;
};

class RunStoreTest : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  fs::path file_ = folder_ / "data" / "runs.sqlite";
  RunStore store_{file_};

  // All but the lock.
  std::ptrdiff_t kept_files() const {
    return std::count_if(
        fs::directory_iterator(file_.parent_path()), {},
        [](const fs::directory_entry& entry) { return entry.path().extension() != ".lock"; });
  }
};

TEST_F(RunStoreTest, gives_back_what_was_put_in_newest_first) {
  EXPECT_TRUE(store_.newest(10).empty());
  EXPECT_FALSE(fs::exists(file_)) << "reading makes no file";
  EXPECT_EQ(store_.add({0, 1234, "batch = 64\n", R"({"loss": 0.1})"}), 1);
  EXPECT_EQ(store_.add(run_of(5)), 2);
  RunStore other(file_);
  const std::vector<StoredRun> runs = other.newest(10);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].number, 2);
  EXPECT_EQ(runs[1].began, 1234);
  EXPECT_EQ(runs[1].settings, "batch = 64\n");
  EXPECT_EQ(runs[1].figures, R"({"loss": 0.1})");
  EXPECT_EQ(other.newest(1).size(), 1U);
  EXPECT_EQ(other.find(1)->began, 1234);
  EXPECT_FALSE(other.find(3));
  EXPECT_EQ(other.count(), 2);
}

TEST_F(RunStoreTest, what_is_forgotten_is_gone_from_the_file_and_its_number_is_not_given_again) {
  store_.add({0, 1, "a secret of somebody", "{}"});
  store_.add(run_of(2));
  EXPECT_EQ(store_.forget(1), 1);
  EXPECT_EQ(store_.forget(1), 0);
  EXPECT_EQ(read_file(file_).find("secret"), std::string::npos);
  EXPECT_EQ(store_.forget_all(), 1);
  EXPECT_EQ(store_.count(), 0);
  EXPECT_EQ(store_.add(run_of(3)), 3);
}

TEST_F(RunStoreTest, file_and_folder_are_for_their_owner_alone) {
  store_.add(run_of(1));
  EXPECT_EQ(fs::status(file_).permissions(), fs::perms{0600});
  EXPECT_EQ(fs::status(file_.parent_path()).permissions(), fs::perms{0700});
}

TEST_F(RunStoreTest, two_programs_at_once_lose_nothing) {
  constexpr int each = 40;
  std::vector<pid_t> children;
  for (int program = 0; program < 2; ++program) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      RunStore own(file_, milliseconds(20'000));
      try {
        for (int i = 0; i < each; ++i) own.add(run_of(program));
      } catch (const Error&) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(store_.count(), 2 * each);
  EXPECT_EQ(store_.newest(1).front().number, 2 * each);
}

// Damages what the other has made anew, unless it looks twice.
TEST_F(RunStoreTest, of_two_that_find_it_damaged_one_moves_it_and_both_go_on) {
  constexpr int rounds = 20;
  for (int round = 0; round < rounds; ++round) {
    make_private_folders(file_.parent_path());
    write_file(file_, "this is no database, however long one reads: " + std::string(5000, 'x'));
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    const std::string said = refusal([&] { RunStore(file_, milliseconds(20'000)).add(run_of(1)); });
    if (child == 0) ::_exit(said.empty() ? 0 : 1);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(said, "");
    EXPECT_EQ(RunStore(file_).count(), 2) << "round " << round;
  }
  EXPECT_EQ(kept_files(), rounds + 1) << "each damaged one is kept once";
}

TEST_F(RunStoreTest, a_damaged_file_is_moved_aside_whole_and_said) {
  store_.add(run_of(1));
  const std::string good = read_file(file_);
  for (const std::string& bad : {good.substr(0, good.size() / 2), good.substr(0, 100) + "x",
                                 std::string(good.size(), '\1')}) {
    write_file(file_, bad);
    RunStore own(file_);
    EXPECT_TRUE(own.newest(10).empty());
    ASSERT_EQ(own.notes().size(), 1U);
    EXPECT_NE(own.notes()[0].find("runs.sqlite was damaged; it is runs.sqlite.damaged-"),
              std::string::npos);
    EXPECT_EQ(own.add(run_of(2)), 1);
    EXPECT_EQ(own.count(), 1);
  }
  EXPECT_EQ(read_file(fs::path(file_.string() + ".damaged-3")), std::string(good.size(), '\1'));
}

TEST_F(RunStoreTest, a_file_without_its_table_counts_as_damaged) {
  store_.add(run_of(1));
  Somebody(file_).does("DROP TABLE runs");
  EXPECT_EQ(store_.count(), 0);
  EXPECT_EQ(store_.notes().size(), 1U);
}

TEST_F(RunStoreTest, a_file_of_a_newer_tpulab_is_left_alone) {
  store_.add(run_of(1));
  Somebody(file_).does("PRAGMA user_version = 2");
  const std::string before = read_file(file_);
  EXPECT_NE(refusal([&] { store_.add(run_of(2)); }).find("a newer tpulab has written it"),
            std::string::npos);
  EXPECT_NE(refusal([&] { store_.newest(2); }).find("update tpulab"), std::string::npos);
  EXPECT_EQ(read_file(file_), before);
}

TEST_F(RunStoreTest, a_file_that_another_program_holds_is_given_up_after_a_while) {
  store_.add(run_of(1));
  RunStore hurried(file_, milliseconds(20));
  {
    Somebody other(file_);
    other.does("BEGIN EXCLUSIVE");
    const std::string said = refusal([&] { hurried.add(run_of(2)); });
    EXPECT_NE(said.find("another program holds it"), std::string::npos) << said;
    EXPECT_NE(refusal([&] { hurried.newest(1); }), "");
  }
  EXPECT_EQ(hurried.add(run_of(3)), 2);
  EXPECT_TRUE(hurried.notes().empty());
}

TEST_F(RunStoreTest, who_only_looks_leaves_a_damaged_file_where_it_is) {
  store_.add(run_of(1));
  RunStore looking(file_, milliseconds(0), RunStore::Use::look);
  EXPECT_EQ(looking.newest(5).size(), 1U);
  write_file(file_, std::string(4000, 'x'));
  EXPECT_NE(refusal([&] { looking.newest(5); }), "");
  EXPECT_EQ(read_file(file_), std::string(4000, 'x'));
  EXPECT_EQ(kept_files(), 1);
}

// By default, as the prompt and the end of a run ask.
TEST_F(RunStoreTest, a_file_that_is_held_for_long_is_given_up_within_two_seconds) {
  store_.add(run_of(1));
  Somebody other(file_);
  other.does("BEGIN EXCLUSIVE");
  const auto began = std::chrono::steady_clock::now();
  EXPECT_NE(refusal([&] { store_.add(run_of(2)); }), "");
  EXPECT_LT(std::chrono::steady_clock::now() - began, milliseconds(2000));
}

TEST_F(RunStoreTest, a_damaged_file_that_another_program_is_moving_is_given_up_too) {
  store_.add(run_of(1));
  write_file(file_, std::string(4000, 'x'));
  const int other = ::open((file_.string() + ".lock").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  RunStore hurried(file_, milliseconds(50));
  const std::string said = refusal([&] { hurried.newest(1); });
  EXPECT_NE(said.find("another program holds it"), std::string::npos) << said;
  ::close(other);
  EXPECT_TRUE(hurried.newest(1).empty());
  EXPECT_EQ(hurried.notes().size(), 1U);
}

TEST_F(RunStoreTest, a_full_disk_is_said_and_what_was_kept_stays) {
  store_.add(run_of(1));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const auto most = static_cast<rlim_t>(fs::file_size(file_));
    const rlimit limit{most, most};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string said = refusal([&] { store_.add({0, 1, std::string(100'000, 's'), "{}"}); });
    ::_exit(said.find("check its folder, its permissions and the disk") == std::string::npos);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(store_.count(), 1);
  EXPECT_TRUE(store_.notes().empty());
}

TEST_F(RunStoreTest, what_is_no_file_and_what_has_no_folder_are_refused) {
  fs::create_directories(file_);
  EXPECT_NE(refusal([&] { store_.newest(1); }).find("it is no file"), std::string::npos);
  RunStore nowhere("/dev/null/runs.sqlite");
  EXPECT_NE(refusal([&] { nowhere.add(run_of(1)); }).find("/dev/null/runs.sqlite"),
            std::string::npos);
}

}  // namespace
}  // namespace tpulab::run_store_test
