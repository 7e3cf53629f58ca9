// Texts and tables that keep to the columns of a terminal.
#include "report/text_width.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"
#include "support/catch.hpp"

#include <sstream>

using namespace benchctl;
using benchctl::test::HasAll;

namespace {

using Pieces = std::vector<std::string>;

std::size_t widest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) most = std::max(most, columns_of(line));
  return most;
}

}  // namespace

TEST_CASE("columns are code points, and colours take none") {
  CHECK(columns_of("") == 0);
  CHECK(columns_of("100.0 µs ±") == 10);
  CHECK(columns_of("\x1b[1;32mab\x1b[0m") == 2);
  CHECK(columns_of("\x1b[") == 2);
  CHECK(longest_word("a µµµ bb") == 3);
  CHECK(longest_word("") == 0);
}

TEST_CASE("lines break at spaces, and words stay whole") {
  CHECK(pieces_within("", 5, 5).empty());
  CHECK(pieces_within("12345", 5, 5) == Pieces{"12345"});
  CHECK(pieces_within("12345 7", 5, 5) == Pieces{"12345", "7"});
  CHECK(pieces_within("1 3 5 7", 5, 5) == Pieces{"1 3 5", "7"});
  CHECK(pieces_within("1 3 5 7", 5, 1) == Pieces{"1 3 5", "7"});
  CHECK(pieces_within("a  longer", 6, 6) == Pieces{"a", "longer"});
  CHECK(pieces_within("unbreakable b", 4, 4) == Pieces{"unbreakable", "b"});
  CHECK(pieces_within("  in deep", 5, 9) == Pieces{"  in", "deep"});
}

TEST_CASE("a text fits, what goes on is indented") {
  const std::string text = "short\n  a longer line of words\n\nend";
  CHECK(fit_lines(text, 0) == text);
  CHECK(fit_lines(text, 80) == text);
  CHECK(fit_lines(text, 14) == "short\n  a longer\n    line of\n    words\n\nend");
  CHECK(fit_lines("one two\n", 5, 3) == "one\n  two\n");  // the indentation is half of the width at most
  CHECK(fit_lines("a b\n", 3) == "a b\n");
}

TEST_CASE("the beginning of a line ends between code points") {
  CHECK(first_columns("µµµ", 2) == "µµ");
  CHECK(first_columns("ab", 2) == "ab");
  CHECK(first_columns("ab", 0).empty());
}

TEST_CASE("a table leaves out what can be missed, then breaks cells between words, never a number") {
  TextTable table({{"device"},
                   TextColumn("predicted", true).optional(2),
                   TextColumn("conflicts", true).optional(1),
                   {"median", true},
                   {"remarks"}});
  table.add({"gpu:0", "1.000 ms", "2", "100.0 µs", "unstable, not resolved, allow more time"});
  table.add({"gpu:0", "2.000 ms", "4", "90.00 µs", ""}, true);
  const std::string whole = table.text(false);
  CHECK(widest(whole) == 79);
  CHECK(table.text(false, 79) == whole);
  // A column is given up before a cell goes on below.
  CHECK_THAT(table.text(false, 70), HasAll({"conflicts", "not in 70 columns: predicted)"}));
  CHECK(table.text(false, 60) ==
        "device    median  remarks\n"
        "gpu:0   100.0 µs  unstable, not resolved, allow more time\n"
        "gpu:0   90.00 µs\n"
        "(not in 60 columns: conflicts, predicted)\n");
  const std::string narrow = table.text(true, 40);
  CHECK(widest(narrow) <= 40);
  CHECK_THAT(narrow, HasAll({"µs  unstable, not\n                  resolved, allow more\n",
                             "\x1b[1;32mgpu:0   90.00 µs\x1b[0m\n"}));
  // Or the caller says what was left out, for several tables together.
  Names left_out;
  CHECK_THAT(table.text(false, 60, &left_out), !ContainsSubstring("not in"));
  CHECK(left_out == Names{"conflicts", "predicted"});
}

TEST_CASE("the line of a reason that says most") {
  const std::string log =
      "the compiler rejects it:\nmine.cl:2:3: warning: odd\n  mine.cl:7:1: error: no ';'\nmore";
  CHECK(gist_of(Status::compile_error, log) == "mine.cl:7:1: error: no ';'");
  CHECK(gist_of(Status::crashed, log) == "the compiler rejects it: …");
  CHECK(gist_of(Status::compile_error, "nothing of the kind\nx") == "nothing of the kind …");
  CHECK(gist_of(Status::compile_error, "error: at once") == "error: at once");
}
