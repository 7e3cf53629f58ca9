// The SDK's value types: spellings are part of configs, stores and messages.
#include <catch2/catch_test_macros.hpp>

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

TEST_CASE("spellings are exact") {
  CHECK(parse_enum<DType>("bf16") == DType::bf16);
  CHECK_FALSE(parse_enum<DType>("F32").has_value());
  CHECK_FALSE(parse_enum<DType>("f32 ").has_value());
}

TEST_CASE("element sizes are those of the C types") {
  CHECK(size_of(DType::f32) == sizeof(float));
  CHECK(size_of(DType::f64) == sizeof(double));
  CHECK(size_of(DType::i32) == 4);
  CHECK(size_of(DType::u32) == 4);
  CHECK(size_of(DType::f16) == 2);
  CHECK(size_of(DType::bf16) == 2);
  CHECK(size_of(DType::u8) == 1);
}

TEST_CASE("a problem finds its buffers and scalars by name and adds up its bytes") {
  ProblemSpec spec;
  spec.buffers = {{"A", DType::f32, 10, BufferRole::in, Space::device},
                  {"B", DType::f64, 3, BufferRole::out, Space::device}};
  spec.scalars = {{"n", DType::i32, std::int64_t{5}}};
  CHECK(spec.buffer_index("B") == 1);
  CHECK_FALSE(spec.buffer_index("n").has_value());
  CHECK(spec.scalar_index("n") == 0);
  CHECK_FALSE(spec.scalar_index("A").has_value());
  CHECK(spec.bytes() == 64);
}

TEST_CASE("a stamp says which SDK and which standard library it was built with") {
  constexpr AbiStamp stamp = make_abi_stamp();
  CHECK(stamp.magic == 0x424e4348);
  CHECK(stamp.sdk_major == BENCHCTL_SDK_MAJOR);
  CHECK(stamp.stamp_bytes == sizeof(AbiStamp));
  CHECK(stamp.sizes[0] == sizeof(std::string));
  CHECK(std::string_view(stamp.standard_library).starts_with("libstdc++"));
}
