// Numbers as people read them; texts and tables that keep to the columns of a terminal.
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

TEST_CASE("four significant digits, whole digits never cut") {
  CHECK(format_significant(0.12344) == "0.1234");
  CHECK(format_significant(52.1) == "52.10");
  CHECK(format_significant(9.9994) == "9.999");
  CHECK(format_significant(9.9996) == "10.00");
  CHECK(format_significant(999.96) == "1000");
  CHECK(format_significant(12345.6) == "12346");
  CHECK(format_significant(-1.5) == "-1.500");
  CHECK(format_significant(0.000123456) == "0.0001235");
  CHECK(format_significant(1.005, 3) == "1.00");
  CHECK(format_significant(12.34, 3) == "12.3");
  CHECK(format_significant(0) == "0");
  CHECK(format_significant(std::nan("")) == "–");
  CHECK(format_significant(std::numeric_limits<double>::infinity()) == "inf");
}

TEST_CASE("durations choose the unit that leaves at least one") {
  CHECK(format_duration(0.25) == "0.2500 ns");
  CHECK(format_duration(1) == "1.000 ns");
  CHECK(format_duration(999.94) == "999.9 ns");
  CHECK(format_duration(999.96) == "1.000 µs");
  CHECK(format_duration(1000) == "1.000 µs");
  CHECK(format_duration(52'104.4) == "52.10 µs");
  CHECK(format_duration(999'960) == "1.000 ms");
  CHECK(format_duration(3'464e6) == "3.464 s");
  CHECK(format_duration(999.4e6) == "999.4 ms");
  CHECK(format_duration(90e9) == "90.00 s");
  CHECK(format_duration(7'200e9) == "7200 s");
  CHECK(format_duration(0) == "0 ns");
  CHECK(format_duration(std::nan("")) == "–");
}

TEST_CASE("counts are grouped by thousands") {
  CHECK(format_count(0) == "0");
  CHECK(format_count(999) == "999");
  CHECK(format_count(1000) == "1,000");
  CHECK(format_count(100'000) == "100,000");
  CHECK(format_count(1'234'567'890) == "1,234,567,890");
}

TEST_CASE("percentages have two digits and at most two decimals") {
  CHECK(format_percent(0) == "0 %");
  CHECK(format_percent(0.0083) == "0.83 %");
  CHECK(format_percent(0.00042) == "0.04 %");
  CHECK(format_percent(0.012) == "1.2 %");
  CHECK(format_percent(0.0996) == "10 %");
  CHECK(format_percent(0.124) == "12 %");
  CHECK(format_percent(2.5) == "250 %");
  CHECK(format_percent(std::nan("")) == "–");
}

TEST_CASE("only the first line of a text, with control characters made visible") {
  CHECK(first_line("one") == "one");
  CHECK(first_line("one\n \n") == "one");
  CHECK(first_line("one\ntwo") == "one …");
  CHECK(first_line("\x1b[31mred\t\x7f\n") == "\\x1b[31mred\\x09\\x7f");
  CHECK(first_line("ü µ\r\n") == "ü µ");
  CHECK(first_line("").empty());
}

TEST_CASE("a time has the digits that its range leaves") {
  Measurement m;
  m.n_samples = 30;
  const auto shown = [&](double median, double low, double high) {
    m.median_ns = median;
    m.p5_ns = m.min_ns = m.ci_low_ns = low;
    m.p95_ns = m.max_ns = m.ci_high_ns = high;
    return format_time(m);
  };
  CHECK(shown(99.83e6, 91.2e6, 131.4e6) == "99.8 ms (91–131)");
  CHECK(shown(2.049e6, 1.981e6, 2.309e6) == "2.05 ms (1.98–2.31)");
  CHECK(shown(16.572e6, 16.561e6, 16.589e6) == "16.57 ms (16.56–16.59)");
  // In the unit of the median, whatever the ends are.
  CHECK(shown(1.1e6, 0.8e6, 2e6) == "1.10 ms (0.80–2.0)");
  m.n_samples = 3;
  CHECK(shown(99.83e6, 91.2e6, 131.4e6) == "99.8 ms (91–131, n=3)");
  CHECK(format_range(m) == "91–131");
  m.n_samples = 1;
  CHECK(shown(1e6, 1e6, 1e6) == "1.00 ms (n=1)");
  CHECK(format_range(m).empty());
  m.processes = 3;
  m.n_samples = 90;
  CHECK(shown(1e6, 0.95e6, 1.05e6) == "1.00 ms (0.950–1.05)");
}
