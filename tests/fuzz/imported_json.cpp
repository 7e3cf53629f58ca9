#include "observe/environment.hpp"
#include "store/codec.hpp"
#include "workloads/declared.hpp"

#include "fuzz/target.hpp"

namespace benchctl::fuzz {

namespace {

template <class Value>
Value decoded(const std::string& text) {
  Value value;
  codec::decode(text, value);
  return value;
}

/// What a text is read as is written and read again without a change.
template <class Decode, class Encode>
void read_stored(const std::string& text, const Decode& decode, const Encode& encode) {
  try {
    const std::string written = encode(decode(text));
    require(encode(decode(written)) == written, "what was stored and read again is another: " + written);
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace

void imported_json(std::string_view bytes) {
  const std::string text(bytes);
  const auto encode = [](const auto& value) { return codec::encode(value); };
  read_stored(text, decoded<Parameters>, encode);
  read_stored(text, decoded<DeviceInfo>, encode);
  read_stored(text, decoded<std::vector<Published>>, encode);
  read_stored(text, decoded<MeasureSettings>, encode);
  read_stored(text, decoded<codec::Readings>, encode);
  read_stored(text, environment_from_json_text, [](const Environment& read) { return to_json_text(read); });
  read_stored(text, workload_declaration_from_json_text,
              [](const WorkloadDeclaration& read) { return to_json_text(read); });
}

}  // namespace benchctl::fuzz
