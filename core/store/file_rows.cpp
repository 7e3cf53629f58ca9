// Files that a config brought along: what exactly was run.
#include "store/codec.hpp"
#include "store/database.hpp"

namespace benchctl {

void Store::add_files(RunId run, std::span<const RunFile> files) {
  if (files.empty()) return;
  guarded(impl_->file, "add files to", [&] {
    SQLite::Database& database = impl_->database;
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement insert(database,
                             "INSERT OR REPLACE INTO run_files (run, name, contents) VALUES (?, ?, ?)");
    for (const RunFile& file : files) {
      Binder binder(insert);
      binder << run << file.name;
      binder.blob(file.contents);
      insert.exec();
      insert.reset();
    }
    transaction.commit();
  });
}

std::vector<RunFile> Store::files(RunId run) const {
  return guarded(impl_->file, "read", [&] {
    std::vector<RunFile> files;
    SQLite::Statement query(impl_->database,
                            "SELECT name, contents FROM run_files WHERE run = ? ORDER BY name");
    Binder(query) << run;
    while (query.executeStep()) {
      files.push_back({query.getColumn(0).getString(), query.getColumn(1).getString()});
    }
    return files;
  });
}

}  // namespace benchctl
