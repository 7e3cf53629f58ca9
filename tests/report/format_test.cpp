
#include "report/format.hpp"
#include "support/catch.hpp"

using namespace benchctl;

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
