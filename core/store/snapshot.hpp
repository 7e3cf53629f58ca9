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
  Snapshot(SQLite::Database& database, const std::filesystem::path& file) {
    if (sqlite3_get_autocommit(database.getHandle()) == 0) return;
    guarded(file, "read", [&] { transaction_.emplace(database); });
  }

 private:
  std::optional<SQLite::Transaction> transaction_;
};

}  // namespace benchctl
