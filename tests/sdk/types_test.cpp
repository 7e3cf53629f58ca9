// The SDK's value types: spellings are part of configs, stores and messages.
#include "support/catch.hpp"

#include <benchctl/plugin.hpp>

using namespace benchctl;

namespace {

/// Every spelling is read back as its own enumerator, and no two are alike.
template <class Enum>
void check_spellings() {
  const auto& table = detail::Spellings<Enum>::table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    CHECK(static_cast<std::size_t>(table[i].first) == i);
    CHECK(parse_enum<Enum>(table[i].second) == table[i].first);
    CHECK(to_string(table[i].first) == table[i].second);
  }
  CHECK_FALSE(parse_enum<Enum>("").has_value());
  CHECK(to_string(static_cast<Enum>(table.size())) == "?");
}

}  // namespace

TEST_CASE("enumerators of the SDK are spelled one way") {
  check_spellings<DType>();
  check_spellings<DeviceType>();
  check_spellings<BufferRole>();
  check_spellings<Space>();
  check_spellings<CacheMode>();
  check_spellings<LaunchMode>();
  check_spellings<Basis>();
  check_spellings<FailureKind>();
}

TEST_CASE("a stamp says which SDK and which standard library it was built with") {
  constexpr AbiStamp stamp = make_abi_stamp();
  CHECK(stamp.magic == 0x424e4348);
  CHECK(stamp.sdk_major == BENCHCTL_SDK_MAJOR);
  CHECK(stamp.stamp_bytes == sizeof(AbiStamp));
  CHECK(stamp.sizes[0] == sizeof(std::string));
  CHECK(std::string_view(stamp.standard_library).starts_with("libstdc++"));
}
