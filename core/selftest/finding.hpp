// What a check of the self-test found.
#pragma once

#include <benchctl/types.hpp>

#include <map>
#include <string>

namespace benchctl::selftest {

enum class Outcome : std::uint8_t {
  pass,
  fail,
  shown,         ///< a figure that nothing is asked of
  not_possible,  ///< the machine has not what it takes, or is too restless to tell; `note` says which
};

/// One line of the self-test's table.
struct Finding {
  std::string check;
  std::string lane;      ///< empty: no device has a part in it
  std::string what;      ///< which case of the check: `500 µs, one at a time`
  std::string expected;  ///< with the tolerance
  std::string found;
  Outcome outcome = Outcome::fail;
  std::string note;
  /// The same as numbers, by name with the unit at its end: `expected_ns`.
  std::map<std::string, double, std::less<>> figures = {};
};

}  // namespace benchctl::selftest

namespace benchctl::detail {
template <>
struct Spellings<selftest::Outcome> {
  static constexpr std::array<Spelling<selftest::Outcome>, 4> table{
      {{selftest::Outcome::pass, "pass"},
       {selftest::Outcome::fail, "fail"},
       {selftest::Outcome::shown, "shown"},
       {selftest::Outcome::not_possible, "not possible here"}}};
};
}  // namespace benchctl::detail
