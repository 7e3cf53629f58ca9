#include "sweep/hostlist.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <stdexcept>

namespace benchctl {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_in_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
         c == '.';
}

class HostListReader {
 public:
  explicit HostListReader(std::string_view text) : text_(text) {}

  std::vector<std::string> read() {
    std::vector<std::string> hosts;
    do {
      const std::vector<std::string> names = item();
      hosts.insert(hosts.end(), names.begin(), names.end());
      if (hosts.size() > max_hosts) refuse_many();
    } while (take(','));
    if (at_ != text_.size()) refuse("a letter, a digit, '-', '_', '.', '[' or ','");
    std::set<std::string_view> seen;
    for (const std::string& host : hosts) {
      if (!seen.insert(host).second)
        throw std::invalid_argument(fmt::format("the host list '{}' names {} twice", text_, host));
    }
    return hosts;
  }

 private:
  /// A name, each of its brackets multiplied out.
  std::vector<std::string> item() {
    std::vector<std::string> names{""};
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != ',') {
      std::vector<std::string> parts;
      if (take('[')) {
        do {
          numbers(parts);
        } while (take(','));
        if (!take(']')) refuse("',' or ']'");
      } else if (is_in_name(text_[at_])) {
        parts.emplace_back();
        while (at_ < text_.size() && is_in_name(text_[at_])) parts.back() += text_[at_++];
      } else {
        refuse("a letter, a digit, '-', '_', '.', '[' or ','");
      }
      if (names.size() * parts.size() > max_hosts) refuse_many();
      std::vector<std::string> longer;
      for (const std::string& name : names) {
        for (const std::string& part : parts) longer.push_back(name + part);
      }
      names = std::move(longer);
    }
    if (at_ == start) refuse("a host's name");
    return names;
  }

  /// `7` or `01-04`.
  void numbers(std::vector<std::string>& parts) {
    const std::string_view first = digits();
    const std::string_view last = take('-') ? digits() : first;
    const std::uint64_t from = value(first);
    const std::uint64_t to = value(last);
    if (to < from) refuse(fmt::format("a number from {} on before this place", first));
    if (to - from >= max_hosts || parts.size() + (to - from) >= max_hosts) refuse_many();
    for (std::uint64_t number = from; number <= to; ++number)
      parts.push_back(fmt::format("{:0{}}", number, first.size()));
  }

  std::string_view digits() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    if (at_ == start) refuse("a number");
    if (at_ - start > std::string_view("999999999999999").size()) refuse_many();
    return text_.substr(start, at_ - start);
  }

  static std::uint64_t value(std::string_view digits) {
    std::uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
  }

  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void refuse(const std::string& expected) const {
    throw std::invalid_argument(
        fmt::format("the host list '{}' is wrong at character {}: expected {}; a right one is "
                    "node[01-04],gpu7",
                    text_, at_ + 1, expected));
  }
  [[noreturn]] void refuse_many() const {
    throw std::invalid_argument(fmt::format("the host list '{}' has more than {} hosts", text_, max_hosts));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// What this host is called in lists: Slurm's name for it, else its own.
std::string this_host() {
  if (const char* name = std::getenv("SLURMD_NODENAME"); name != nullptr && *name != '\0') return name;
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return {};
  const std::string full = name.data();
  return full.substr(0, full.find('.'));
}

}  // namespace

std::vector<std::string> hosts_of(std::string_view list) { return HostListReader(list).read(); }

std::size_t place_of_this_host(const std::vector<std::string>& hosts) {
  const std::string own = this_host();
  const auto found = std::ranges::find(hosts, own);
  if (found != hosts.end()) return static_cast<std::size_t>(found - hosts.begin());
  throw std::invalid_argument(
      fmt::format("this host, {}, is none of the {} in the host list, from {} to {}", own, hosts.size(),
                  hosts.front(), hosts.back()));
}

}  // namespace benchctl
