// What the parts of Store share: the open database, its errors in words, and typed access to columns in
// the order of a statement. For core/store/*.cpp only.
#pragma once

#include "store/store.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace benchctl {

struct Store::Impl {
  std::filesystem::path file;
  SQLite::Database database;
};

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
    throw StoreError("the store '" + file.string() + "' holds something that cannot be read (" +
                     error.what() + "); name another file with --db");
  }
}

/// Writes parameters of a statement from the first on.
class Binder {
 public:
  explicit Binder(SQLite::Statement& statement) : statement_(statement) {}

  Binder& operator<<(bool value) { return *this << std::int64_t{value}; }
  Binder& operator<<(int value) { return *this << std::int64_t{value}; }
  Binder& operator<<(std::uint32_t value) { return *this << std::int64_t{value}; }
  Binder& operator<<(std::int64_t value) {
    statement_.bind(next_++, value);
    return *this;
  }
  /// As the signed integer with the same bits: SQLite has no other.
  Binder& operator<<(std::uint64_t value) { return *this << std::bit_cast<std::int64_t>(value); }
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
  Binder& blob(const std::string& bytes) {
    statement_.bind(next_++, bytes.data(), static_cast<int>(bytes.size()));
    return *this;
  }

 private:
  SQLite::Statement& statement_;
  int next_ = 1;
};

/// Reads columns of the current row from the first on.
class Row {
 public:
  explicit Row(SQLite::Statement& statement) : statement_(statement) {}

  Row& operator>>(bool& value) {
    value = next().getInt() != 0;
    return *this;
  }
  Row& operator>>(std::uint32_t& value) {
    value = static_cast<std::uint32_t>(next().getInt64());
    return *this;
  }
  Row& operator>>(std::int64_t& value) {
    value = next().getInt64();
    return *this;
  }
  Row& operator>>(std::uint64_t& value) {
    value = std::bit_cast<std::uint64_t>(std::int64_t{next().getInt64()});
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
    value = next().getString();
    return *this;
  }
  [[nodiscard]] std::string text() { return std::string(bytes()); }
  /// Until the statement is at another row.
  [[nodiscard]] std::string_view bytes() {
    const SQLite::Column column = next();
    const auto* data = static_cast<const char*>(column.getBlob());
    return {data, static_cast<std::size_t>(column.size())};
  }
  [[nodiscard]] SQLite::Column next() { return statement_.getColumn(column_++); }

 private:
  SQLite::Statement& statement_;
  int column_ = 0;
};

}  // namespace benchctl
