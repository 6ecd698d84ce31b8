#include "engine/formats/run_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>
#include <thread>

#include "engine/base/error.h"
#include "engine/base/write_file.h"

namespace tpulab {

namespace {

namespace fs = std::filesystem;

constexpr int own_schema = 1;
constexpr std::string_view all_columns = "SELECT number, began, settings, figures FROM runs ";
constexpr const char* make_tables =
    "CREATE TABLE runs (number INTEGER PRIMARY KEY AUTOINCREMENT, began INTEGER NOT NULL,"
    " settings TEXT NOT NULL, figures TEXT NOT NULL); PRAGMA user_version = 1;";

// Caught by on_file().
class Damaged : public Error {
 public:
  using Error::Error;
};

[[noreturn]] void refuse(const fs::path& file, int code, const std::string& what) {
  const int kind = code & 0xff;
  const std::string said = fmt::format("runs are kept in {}: {}", file.string(), what);
  if (kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB || kind == SQLITE_ERROR) throw Damaged(said);
  if (kind == SQLITE_BUSY || kind == SQLITE_LOCKED) {
    throw Error(said + "; another program holds it, try again");
  }
  throw Error(said + "; check its folder, its permissions and the disk");
}

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

class Connection {
 public:
  enum class Access : std::uint8_t { look, read, write };

  // Throws Error. But to write, the file must be there.
  Connection(const fs::path& file, Access access, std::chrono::milliseconds patience)
      : file_(file) {
    sqlite3* opened = nullptr;
    // Also to read: what a program that was killed has begun to write is taken back first.
    const int how = access == Access::look ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    const int code = sqlite3_open_v2(file.c_str(), &opened, how, nullptr);
    database_.reset(opened);
    check(code);
    sqlite3_busy_timeout(opened, static_cast<int>(patience.count()));
    check_schema(access == Access::write);
  }

  sqlite3* get() const { return database_.get(); }
  bool has_table() const { return has_table_; }

  void run(const char* statements) const {
    check(sqlite3_exec(database_.get(), statements, nullptr, nullptr, nullptr));
  }
  void check(int code) const {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
    refuse(file_, code,
           database_ ? sqlite3_errmsg(database_.get()) : std::string(sqlite3_errstr(code)));
  }
  std::int64_t whole_number(const char* query) const;

 private:
  void check_schema(bool to_write) {
    if (!to_write) {
      has_table_ = known_schema() == own_schema;
      return;
    }
    run("PRAGMA secure_delete = ON");
    has_table_ = true;
    if (known_schema() == own_schema) return;
    run("BEGIN IMMEDIATE");  // of two that begin at once, one waits here
    if (known_schema() == 0) run(make_tables);
    run("COMMIT");
  }

  std::int64_t known_schema() const {
    const std::int64_t schema = whole_number("PRAGMA user_version");
    if (schema >= 0 && schema <= own_schema) return schema;
    throw Error(fmt::format(
        "runs are kept in {}, but a newer tpulab has written it (schema {}, known here is {}): it "
        "is left alone; update tpulab, or move the file away",
        file_.string(), schema, own_schema));
  }

  const fs::path& file_;
  std::unique_ptr<sqlite3, Close> database_;
  bool has_table_ = false;
};

class Statement {
 public:
  Statement(const Connection& connection, const std::string& text) : connection_(connection) {
    sqlite3_stmt* made = nullptr;
    connection.check(sqlite3_prepare_v2(connection.get(), text.c_str(), -1, &made, nullptr));
    statement_.reset(made);
  }

  // `place` counts from 1. Texts must outlive the statement.
  void bind(int place, std::int64_t value) {
    connection_.check(sqlite3_bind_int64(statement_.get(), place, value));
  }
  void bind(int place, const std::string& text) {
    connection_.check(sqlite3_bind_text(statement_.get(), place, text.data(),
                                        static_cast<int>(text.size()), nullptr));
  }
  bool step() {
    const int code = sqlite3_step(statement_.get());
    connection_.check(code);
    return code == SQLITE_ROW;
  }
  std::int64_t whole(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  std::string text(int column) const {
    const void* bytes = sqlite3_column_blob(statement_.get(), column);
    const int size = sqlite3_column_bytes(statement_.get(), column);
    if (bytes == nullptr) return {};
    return {static_cast<const char*>(bytes), static_cast<std::size_t>(size)};
  }

 private:
  const Connection& connection_;
  std::unique_ptr<sqlite3_stmt, Close> statement_;
};

std::int64_t Connection::whole_number(const char* query) const {
  Statement statement(*this, query);
  return statement.step() ? statement.whole(0) : 0;
}

[[noreturn]] void refuse_errno(const fs::path& file, int error_number) {
  refuse(file, SQLITE_IOERR, std::strerror(error_number));
}

void make_folder_of(const fs::path& file) {
  if (const int error = make_private_folders(file.parent_path()); error != 0) {
    refuse_errno(file, error);
  }
}

// Empty, which SQLite takes for a database without tables; what it writes beside it is as private.
void make_file(const fs::path& file) {
  const int made = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (made >= 0) {
    ::close(made);
  } else if (errno != EEXIST) {
    refuse_errno(file, errno);
  }
}

// A name beside it that nobody has.
fs::path free_name(const fs::path& file) {
  fs::path name;
  std::error_code error;
  for (int i = 1; name.empty() || fs::exists(name, error); ++i) {
    name = file;
    name += fmt::format(".damaged-{}", i);
  }
  return name;
}

// Shared by all who have the database open, and alone with who moves it: SQLite would play the
// journal of the new one into the old. It is a file of its own, since closing the database's would
// let go of the locks that SQLite has on it.
class Guard {
 public:
  enum class Hold : std::uint8_t { shared, alone };

  Guard(const fs::path& file, bool make) {
    const std::string name = file.string() + ".lock";
    const int how = O_RDWR | O_CLOEXEC | (make ? O_CREAT : 0);
    number_ = ::open(name.c_str(), how, S_IRUSR | S_IWUSR);
  }
  ~Guard() {
    if (number_ >= 0) ::close(number_);
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  // Throws Error once others have held it for longer. Nobody moves files of a folder in which no
  // lock can be made.
  void take(const fs::path& file, Hold hold, std::chrono::milliseconds patience) const {
    constexpr std::chrono::milliseconds pause{20};
    const int how = (hold == Hold::alone ? LOCK_EX : LOCK_SH) | LOCK_NB;
    for (auto left = patience; number_ >= 0 && ::flock(number_, how) != 0; left -= pause) {
      if (left <= pause) refuse(file, SQLITE_BUSY, "a damaged one is being moved");
      std::this_thread::sleep_for(pause);
    }
  }

 private:
  int number_ = -1;
};

bool is_damaged(const fs::path& file, std::chrono::milliseconds patience) {
  std::error_code error;
  if (!fs::exists(file, error)) return false;
  try {
    const Connection connection(file, Connection::Access::read, patience);
    Statement statement(connection, "PRAGMA quick_check(1)");
    if (!statement.step() || statement.text(0) != "ok") return true;
    if (connection.has_table()) Statement(connection, std::string(all_columns));
    return false;
  } catch (const Damaged&) {
    return true;
  }
}

}  // namespace

// Another program may have moved it already, and what is there now is its new one.
void RunStore::move_aside() {
  const Guard guard(file_, true);
  guard.take(file_, Guard::Hold::alone, patience_);
  if (!is_damaged(file_, patience_)) return;
  const fs::path aside = free_name(file_);
  const std::string journal = "-journal";  // which would be played into the new one
  std::error_code error;
  fs::rename(file_.string() + journal, aside.string() + journal, error);
  fs::rename(file_, aside, error);
  if (error) refuse(file_, SQLITE_IOERR, "it is damaged and cannot be moved: " + error.message());
  notes_.push_back(fmt::format("{} was damaged; it is {} now, and a new one is begun",
                               file_.string(), aside.filename().string()));
}

template <class Work>
auto RunStore::on_file(bool to_write, const Work& work) {
  using Result = decltype(work(std::declval<const Connection&>()));
  const auto attempt = [&]() -> Result {
    std::error_code error;
    if (to_write) make_folder_of(file_);
    const Guard guard(file_, to_write);
    guard.take(file_, Guard::Hold::shared, patience_);
    const fs::file_status status = fs::status(file_, error);
    if (!fs::exists(status) && !to_write) return {};
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      refuse(file_, SQLITE_CANTOPEN, "it is no file");
    }
    if (to_write) make_file(file_);
    using enum Connection::Access;
    const Connection connection(file_,
                                to_write            ? write
                                : use_ == Use::look ? look
                                                    : read,
                                patience_);
    return connection.has_table() ? work(connection) : Result{};
  };
  try {
    return attempt();
  } catch (const Damaged&) {
    if (use_ == Use::look) throw;
    move_aside();
  }
  return attempt();
}

std::int64_t RunStore::add(const StoredRun& run) {
  return on_file(true, [&run](const Connection& connection) {
    Statement statement(connection, "INSERT INTO runs (began, settings, figures) VALUES (?, ?, ?)");
    statement.bind(1, run.began);
    statement.bind(2, run.settings);
    statement.bind(3, run.figures);
    statement.step();
    return std::int64_t{sqlite3_last_insert_rowid(connection.get())};
  });
}

std::vector<StoredRun> RunStore::selected(std::string_view condition, std::int64_t value) {
  return on_file(false, [&](const Connection& connection) {
    Statement statement(connection, fmt::format("{}{}", all_columns, condition));
    statement.bind(1, value);
    std::vector<StoredRun> runs;
    while (statement.step()) {
      runs.push_back(
          {statement.whole(0), statement.whole(1), statement.text(2), statement.text(3)});
    }
    return runs;
  });
}

std::vector<StoredRun> RunStore::newest(std::int64_t most) {
  return selected("ORDER BY number DESC LIMIT ?", most);
}

std::optional<StoredRun> RunStore::find(std::int64_t number) {
  std::vector<StoredRun> runs = selected("WHERE number = ?", number);
  if (runs.empty()) return std::nullopt;
  return std::move(runs.front());
}

std::int64_t RunStore::count() {
  return on_file(false, [](const Connection& connection) {
    return connection.whole_number("SELECT count(*) FROM runs");
  });
}

std::int64_t RunStore::forget(std::int64_t number) {
  return on_file(true, [number](const Connection& connection) {
    Statement statement(connection, "DELETE FROM runs WHERE number = ?");
    statement.bind(1, number);
    statement.step();
    return std::int64_t{sqlite3_changes(connection.get())};
  });
}

std::int64_t RunStore::forget_all() {
  return on_file(true, [](const Connection& connection) {
    connection.run("DELETE FROM runs");
    const std::int64_t gone = sqlite3_changes(connection.get());
    connection.run("VACUUM");
    return gone;
  });
}

}  // namespace tpulab
