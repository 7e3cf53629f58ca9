// What the parts of Store share: the open database, its errors in words, statements with typed values in
// the order of their columns, and one view for several queries. For core/store/*.cpp only.
#pragma once

#include "model/words.hpp"
#include "store/codec.hpp"
#include "store/store.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <sqlite3.h>

#include <array>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace benchctl {

/// A sentence for a result code of SQLite: action and file, SQLite's message, advice.
[[nodiscard]] std::string explain_sqlite(int code, std::string_view message, std::string_view action,
                                         const std::filesystem::path& file);

/// Calls `work` and turns its errors into StoreError. `action` completes "cannot … the store".
template <class Work>
auto guarded(const std::filesystem::path& file, std::string_view action, const Work& work) {
  try {
    return work();
  } catch (const SQLite::Exception& error) {
    throw StoreError(explain_sqlite(error.getErrorCode(), error.what(), action, file));
  } catch (const std::invalid_argument& error) {
    throw StoreError(
        fmt::format("the store '{}' holds something that cannot be read ({}); name another file with --db",
                    file, error.what()));
  }
}

/// A column of bytes.
struct Blob {
  const std::string& bytes;
};

/// Writes parameters of a statement from the first on.
class Binder {
 public:
  explicit Binder(SQLite::Statement& statement) : statement_(statement) {}

  /// Unsigned ones as the signed integer with the same bits: SQLite has no other.
  template <std::integral Integer>
  Binder& operator<<(Integer value) {
    statement_.bind(next_++, static_cast<std::int64_t>(value));
    return *this;
  }
  Binder& operator<<(RunId id) { return *this << to_number(id); }
  Binder& operator<<(PointId id) { return *this << to_number(id); }
  /// NaN becomes NULL.
  Binder& operator<<(double value) {
    if (std::isnan(value)) {
      statement_.bind(next_++);
    } else {
      statement_.bind(next_++, value);
    }
    return *this;
  }
  Binder& operator<<(const std::string& value) {
    statement_.bind(next_++, value);
    return *this;
  }
  Binder& operator<<(std::string_view value) { return *this << std::string(value); }
  Binder& operator<<(const char* value) { return *this << std::string(value); }
  Binder& operator<<(const Blob& blob) {
    statement_.bind(next_++, blob.bytes.data(), static_cast<int>(blob.bytes.size()));
    return *this;
  }
  /// A column of another statement, as what it is.
  Binder& operator<<(const SQLite::Column& column) {
    switch (column.getType()) {
      case SQLITE_INTEGER:
        return *this << std::int64_t{column.getInt64()};
      case SQLITE_FLOAT:
        return *this << column.getDouble();
      case SQLITE_TEXT:
        return *this << column.getString();
      case SQLITE_BLOB:
        statement_.bind(next_++, column.getBlob(), column.getBytes());
        return *this;
      default:
        return *this << std::numeric_limits<double>::quiet_NaN();
    }
  }
  /// NULL where there is nothing.
  template <class Value>
  Binder& operator<<(const std::optional<Value>& value) {
    return value ? *this << *value : *this << std::numeric_limits<double>::quiet_NaN();
  }

 private:
  SQLite::Statement& statement_;
  int next_ = 1;
};

/// A config has 10 MiB at most. Text is parsed, too, into what takes 20 times its size.
constexpr std::size_t largest_text = std::size_t{16} << 20;

/// Reads columns of the current row from the first on.
class Row {
 public:
  explicit Row(SQLite::Statement& statement) : statement_(statement) {}

  template <std::integral Integer>
  Row& operator>>(Integer& value) {
    value = static_cast<Integer>(next().getInt64());
    return *this;
  }
  Row& operator>>(RunId& id) {
    id = RunId{next().getInt64()};
    return *this;
  }
  Row& operator>>(PointId& id) {
    id = PointId{next().getInt64()};
    return *this;
  }
  Row& operator>>(double& value) {
    const SQLite::Column column = next();
    value = column.isNull() ? std::numeric_limits<double>::quiet_NaN() : column.getDouble();
    return *this;
  }
  Row& operator>>(std::string& value) {
    value = bytes();
    return *this;
  }
  /// Throws std::invalid_argument for a word that spells no enumerator.
  template <class Enum>
  requires std::is_enum_v<Enum> Row& operator>>(Enum& value) {
    const std::string_view word = bytes();
    value = known(parse_enum<Enum>(word), word);
    return *this;
  }
  Row& operator>>(Status& value) {
    const std::string_view word = bytes();
    value = known(parse_status(word), word);
    return *this;
  }
  Row& operator>>(std::vector<double>& values) {
    values = codec::decode_doubles(bytes());
    return *this;
  }
  /// A column of JSON.
  template <class Value>
  requires requires(const std::string& text, Value& value) { codec::decode(text, value); }
  Row& operator>>(Value& value) {
    codec::decode(std::string(bytes()), value);
    return *this;
  }
  /// Nothing where the column is NULL.
  template <class Value>
  Row& operator>>(std::optional<Value>& value) {
    value.reset();
    if (!statement_.getColumn(column_).isNull()) return *this >> value.emplace();
    ++column_;
    return *this;
  }
  void skip() { ++column_; }
  [[nodiscard]] std::string text() { return std::string(bytes()); }
  /// Until the statement is at another row. Throws std::invalid_argument if it is a text that no store has.
  [[nodiscard]] std::string_view bytes() {
    const SQLite::Column column = next();
    const auto* data = static_cast<const char*>(column.getBlob());
    const auto size = static_cast<std::size_t>(column.size());
    if (size > largest_text && column.isText())
      throw std::invalid_argument(
          fmt::format("a text of {} MiB where {} are allowed", size >> 20, largest_text >> 20));
    return {data, size};
  }

 private:
  template <class Enum>
  static Enum known(const std::optional<Enum>& found, std::string_view word) {
    if (!found) throw std::invalid_argument(fmt::format("unknown word '{}'", word));
    return *found;
  }
  [[nodiscard]] SQLite::Column next() { return statement_.getColumn(column_++); }

  SQLite::Statement& statement_;
  int column_ = 0;
};

template <class... Values>
void bind_all(SQLite::Statement& statement, const Values&... values) {
  Binder binder(statement);
  static_cast<void>((binder << ... << values));
}

/// Runs a statement with these values; it can be run again. Returns how many rows it changed.
template <class... Values>
int execute(SQLite::Statement& statement, const Values&... values) {
  static_cast<void>(statement.tryReset());  // an error would be that of its last run
  bind_all(statement, values...);
  return statement.exec();
}

template <class... Values>
int execute(SQLite::Database& database, const std::string& sql, const Values&... values) {
  SQLite::Statement statement(database, sql);
  return execute(statement, values...);
}

/// Calls `take` with a Row for each row of a query with these values.
template <class Take, class... Values>
void each_row(SQLite::Database& database, const std::string& sql, const Take& take,
              const Values&... values) {
  SQLite::Statement query(database, sql);
  bind_all(query, values...);
  while (query.executeStep()) {
    Row row(query);
    take(row);
  }
}

/// The first column of a query's first row; nothing if it has no row.
template <class Value, class... Values>
std::optional<Value> first_value(SQLite::Database& database, const std::string& sql,
                                 const Values&... values) {
  SQLite::Statement query(database, sql);
  bind_all(query, values...);
  std::optional<Value> value;
  if (query.executeStep()) Row(query) >> value.emplace();
  return value;
}

/// Ends a query that takes more steps or time, or gives more bytes, than a file of its size can need: pages
/// of a stranger's may refer to one another so often that reading them has no end. What writes takes as
/// many steps and as much time as it likes.
class ReadBudget {
 public:
  explicit ReadBudget(const std::filesystem::path& file) : files_{file, file.string() + "-wal"} {}
  /// Limits the queries of this connection; call it before the first. The budget must stay where it is.
  void watch(sqlite3* database);
  /// Before what may be another query.
  void begin() {
    returned_ = since_ = 0;
    began_.reset();
  }

 private:
  /// Every few steps: is it spent? Looked at twice a second, and after a million steps.
  [[nodiscard]] bool look();
  [[nodiscard]] bool is_spent(std::uint64_t steps);
  /// Counts what the statement gives in its current row.
  void count(sqlite3_stmt* statement);
  [[nodiscard]] bool others_run(const sqlite3_stmt* statement) const;
  /// Bytes of the file and of its log of changes. SQLite calls it, which nothing may be thrown through.
  [[nodiscard]] std::uint64_t stored_bytes() const noexcept;

  std::array<std::filesystem::path, 2> files_;
  sqlite3* database_ = nullptr;
  std::uint64_t returned_ = 0;                  ///< steps of the longest query until it last gave a row
  std::uint64_t since_ = 0;                     ///< steps since then
  std::uint64_t unseen_ = 0;                    ///< steps since it was looked at
  std::chrono::steady_clock::time_point seen_;  ///< when that was
  std::optional<double> began_;   ///< the thread's processor time at the query's first look, in s
  std::uint64_t given_ = 0;       ///< bytes of texts and blobs since no other query ran
  std::uint64_t most_given_ = 0;  ///< the limit of `given_`, as far as it was needed
};

struct Store::Impl {
  std::filesystem::path file;
  std::unique_ptr<ReadBudget> budget;
  SQLite::Database database;
  std::map<std::string, SQLite::Statement, std::less<>> statements = {};  ///< those that `run` keeps
  std::map<RunId, std::unique_ptr<OwnerLock>> owned = {};  ///< the runs that this store measures

  /// What `work(database)` reads; its errors as StoreError.
  template <class Work>
  auto read(const Work& work) {
    budget->begin();
    return guarded(file, "read", [&] { return work(database); });
  }
  /// A record for each row of a query with these values: `fill(row, record)` reads it.
  template <class Record, class Fill, class... Values>
  std::vector<Record> list(const std::string& sql, const Fill& fill, const Values&... values) {
    return read([&](SQLite::Database&) {
      std::vector<Record> all;
      each_row(
          database, sql, [&](Row& row) { fill(row, all.emplace_back()); }, values...);
      return all;
    });
  }
  /// See first_value.
  template <class Value, class... Values>
  std::optional<Value> value(const std::string& sql, const Values&... values) {
    return read([&](SQLite::Database&) { return first_value<Value>(database, sql, values...); });
  }
  /// Runs one statement as a transaction of its own. Returns how many rows it changed.
  template <class... Values>
  int change(const std::string& sql, const Values&... values) {
    return write("write to", [&](SQLite::Database&) { return execute(database, sql, values...); });
  }
  /// Runs a statement that is run for each point or round. It is kept: parsing takes longer than running.
  template <class... Values>
  int run(const std::string& sql, const Values&... values) {
    auto found = statements.find(sql);
    if (found == statements.end()) found = statements.try_emplace(sql, database, sql).first;
    return execute(found->second, values...);
  }
  /// Calls `work(database)` in one transaction: all that it writes, or nothing. `action` as in `guarded`.
  template <class Work>
  auto write(std::string_view action, const Work& work) {
    budget->begin();
    return guarded(file, action, [&] {
      SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
      if constexpr (std::is_void_v<decltype(work(database))>) {
        work(database);
        transaction.commit();
      } else {
        auto result = work(database);
        transaction.commit();
        return result;
      }
    });
  }
};

/// One view of the store for several queries, as long as the object lasts: a running benchctl may write
/// between two of them. Inside of another transaction it is a part of that one. Throws StoreError.
class Snapshot {
 public:
  Snapshot(SQLite::Database& database, const std::filesystem::path& file) : database_(database) {
    if (sqlite3_get_autocommit(database.getHandle()) == 0) return;
    guarded(file, "read", [&] { transaction_.emplace(database); });
  }
  /// What is written after a transaction that did not end would be lost with it: a second try.
  ~Snapshot() {
    if (!transaction_) return;
    transaction_.reset();
    if (sqlite3_get_autocommit(database_.getHandle()) == 0)
      sqlite3_exec(database_.getHandle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  SQLite::Database& database_;
  std::optional<SQLite::Transaction> transaction_;
};

}  // namespace benchctl
