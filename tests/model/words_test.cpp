#include "model/words.hpp"
#include "support/catch.hpp"

#include <cstdint>

using namespace benchctl;

TEST_CASE("a number is read from a text that is nothing else") {
  CHECK(number_from<std::int64_t>("-12") == -12);
  CHECK(number_from<std::uint64_t>("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  CHECK(number_from<double>("1.5") == 1.5);
  for (const char* text : {"", " 1", "1 ", "1.5", "0x1", "+1", "99999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(number_from<std::int64_t>(text));
  }
  CHECK_FALSE(number_from<std::uint64_t>("-1"));
}

TEST_CASE("control characters are written out") {
  CHECK(visible("plain, µ – 文 \U0001F600") == "plain, µ – 文 \U0001F600");
  CHECK(visible("\x1b[31mred\x7f\r\n\t") == "\\x1b[31mred\\x7f\\x0d\\x0a\\x09");
  CHECK(visible(std::string_view("\0", 1)) == "\\x00");
  CHECK(visible("\u0080 \u009b \u00a0") == "\\x80 \\x9b \u00a0");
  CHECK(visible("").empty());
  const std::string once = visible("\x1b\xff\n\\");
  CHECK(visible(once) == once);
}

TEST_CASE("marks of direction and line separators are written out") {
  for (const char* mark :
       {"\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202e", "\u2066", "\u2069"}) {
    const std::string text = visible(mark);
    CAPTURE(text);
    CHECK(text.size() == 6);
    CHECK(text.starts_with("\\u"));
    CHECK(visible_lines(mark) == text);
  }
  CHECK(visible("a\u202eb") == "a\\u202eb");
  CHECK(visible("\u2010\u2027\u202f\u2065\u206a") == "\u2010\u2027\u202f\u2065\u206a");
  // In JSON and TOML they become escapes.
  CHECK(with_escapes("\x1b \u009b \u202e \n µ") == "\\u001b \\u009b \\u202e \\u000a µ");
  CHECK(with_escapes("\x7f\n", "\n") == "\\u007f\n");
  // Lines stay lines where there may be several.
  CHECK(visible_lines("one\n\ttwo\r\n\x1b") == "one\n\ttwo\\x0d\n\\x1b");
}

TEST_CASE("bytes that are no UTF-8 become U+FFFD") {
  const std::string lost = "\uFFFD";
  CHECK(visible("a\x9b"
                "b") == "a" + lost + "b");
  CHECK(visible("\xc3") == lost);
  CHECK(visible("\xc0\x9b") == lost + lost);             // an escape in two bytes
  CHECK(visible("\xe0\x80\x9b") == lost + lost + lost);  // and in three
  CHECK(visible("\xed\xa0\x80") == lost + lost + lost);  // half of a pair of UTF-16
  CHECK(visible("\xf4\x90\x80\x80") == lost + lost + lost + lost);
  CHECK(visible("\xe2\x82\x1b") == lost + lost + "\\x1b");
  CHECK(visible("\xf0\x9f\x98\x80") == "\U0001F600");
}

TEST_CASE("a path in a message is visible, in one line") {
  CHECK(fmt::format("'{}'", std::filesystem::path("a\nb/\x1b.toml")) == "'a\\x0ab/\\x1b.toml'");
}
