// The glossary has no entry that no table uses. (A column without an entry does not compile.)
#include "report/glossary.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#include <fstream>
#include <iterator>

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("every column of the glossary stands in some table") {
  // Columns of tables that the golden runs do not fill: of access patterns, roofs and several devices, and
  // of `selftest`.
  const std::set<std::string_view> elsewhere = {
      "±",           "ns/access",      "requested GB/s", "cycles",
      "of roof",     "predicted",      "vs predicted",   "sector use",
      "conflicts",   "vs best device", "of datasheet",   "metric",
      "application", "architectural",  "roof",           "clock",
      "check",       "case",           "expected",       "found",
      "outcome"};
  std::string tables;
  for (const auto& file :
       std::filesystem::directory_iterator(tree_root() / "libexec/benchctl/tests/golden")) {
    const std::string kind = file.path().extension().string();
    if (kind != ".md" && kind != ".txt" && kind != ".text") continue;
    std::ifstream text(file.path());
    tables.append(std::istreambuf_iterator<char>(text), {});
  }
  std::set<std::string_view> titles;
  for (const ColumnInfo& column : column_table) {
    CAPTURE(column.title);
    CHECK(titles.insert(column.title).second);
    CHECK(column.doc.size() > 10);
    const std::string title(column.title);
    const bool found = tables.find("| " + title + " |") != std::string::npos ||
                       tables.find(title + "  ") != std::string::npos ||
                       tables.find("  " + title + "\n") != std::string::npos;
    CHECK((found || elsewhere.contains(column.title)));
  }
}
