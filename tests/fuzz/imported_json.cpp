#include "config/config.hpp"
#include "config/import_t1.hpp"
#include "observe/environment.hpp"
#include "store/codec.hpp"
#include "workloads/declared.hpp"

#include "fuzz/target.hpp"

namespace benchctl::fuzz {

namespace {

void read_t1(const std::string& text) {
  ImportedConfig imported;
  try {
    imported = import_t1(text, "kernels");
  } catch (const ImportError&) {
    return;
  }
  require_utf8(imported.toml, "a config made from T1");
  try {
    static_cast<void>(parse_config(imported.toml, "imported.toml", {"/nonexistent", false}));
  } catch (const ConfigErrors& errors) {
    // Its kernel is not there, and its values are those of the file. But it is TOML.
    for (const Diagnostic& error : errors.diagnostics()) {
      require(!error.message.starts_with("TOML syntax"), "T1 became broken TOML: " + error.message);
    }
  }
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
  // By a word that it must have: what is refused at once costs as much as what is read.
  if (text.find("Configuration") != std::string::npos || text.size() < 8) read_t1(text);
  if (text.find("ConfigurationSpace") != std::string::npos) return;
  const auto encode = [](const auto& value) { return codec::encode(value); };
  read_stored(text, codec::decode_parameters, encode);
  read_stored(text, codec::decode_device, encode);
  read_stored(text, codec::decode_published, encode);
  read_stored(text, codec::decode_measure_settings, encode);
  read_stored(text, codec::decode_readings, encode);
  read_stored(text, environment_from_json_text, [](const Environment& read) { return to_json_text(read); });
  read_stored(text, workload_declaration_from_json_text,
              [](const WorkloadDeclaration& read) { return to_json_text(read); });
}

}  // namespace benchctl::fuzz
