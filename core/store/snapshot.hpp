// One view of a store for several queries: a running benchctl may write between two of them. For
// core/store/*.cpp only.
#pragma once

#include "store/database.hpp"

#include <sqlite3.h>

#include <optional>

namespace benchctl {

/// Lasts as long as the object. Inside of another transaction it is a part of that one. Throws StoreError.
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
