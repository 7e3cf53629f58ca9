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

TEST_CASE("a type of whole numbers holds what lies in its range") {
  std::size_t bytes = 0;
  for (const auto& [type, name] : detail::Spellings<DType>::table) {
    CHECK(name.ends_with(std::to_string(8 * size_of(type))));
    CHECK(is_whole(type) == (name.starts_with('i') || name.starts_with('u')));
    bytes += size_of(type);
  }
  CHECK(bytes == 4 + 8 + 2 + 2 + 2 * (1 + 2 + 4 + 8));
  struct Range {
    DType type;
    std::int64_t least;
    std::int64_t most;
  };
  for (const auto& [type, least, most] :
       {Range{DType::i8, -128, 127}, Range{DType::u8, 0, 255}, Range{DType::i16, -32768, 32767},
        Range{DType::u16, 0, 65535}, Range{DType::i32, -2147483648, 2147483647},
        Range{DType::u32, 0, 4294967295}}) {
    CAPTURE(to_string(type));
    CHECK(holds(type, least));
    CHECK(holds(type, most));
    CHECK_FALSE(holds(type, least - 1));
    CHECK_FALSE(holds(type, most + 1));
  }
  CHECK(holds(DType::i64, std::numeric_limits<std::int64_t>::min()));
  CHECK(holds(DType::u64, std::numeric_limits<std::int64_t>::max()));
  CHECK_FALSE(holds(DType::u64, -1));
  CHECK_FALSE(holds(DType::f32, 0));
}

TEST_CASE("a stamp says which SDK and which standard library it was built with") {
  constexpr AbiStamp stamp = make_abi_stamp();
  CHECK(stamp.magic == 0x424e4348);
  CHECK(stamp.sdk_major == BENCHCTL_SDK_MAJOR);
  CHECK(stamp.stamp_bytes == sizeof(AbiStamp));
  CHECK(stamp.sizes[0] == sizeof(std::string));
  CHECK(std::string_view(stamp.standard_library).starts_with("libstdc++"));
}
