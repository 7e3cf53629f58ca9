#include "config/sources.hpp"

#include "support/paths.hpp"

#include "fuzz/target.hpp"

#include <fstream>
#include <set>

namespace benchctl::fuzz {

namespace {

/// A line that any compiler takes for an include of this file: nothing above can hide it.
bool plainly_includes(const std::string& text, const std::string& name) {
  const std::string line = "#include \"" + name + "\"\n";
  return text.starts_with(line);
}

}  // namespace

void includes(std::string_view bytes) {
  static const test::TemporaryDirectory folder;
  static const FileRules inside{folder.path(), false};
  static const FileRules anywhere{folder.path(), true};
  static const std::vector<std::string> names{"kernel.cu", "a.h", "b.h"};
  const std::vector<std::string> texts = parts(bytes, names.size());
  static std::vector<std::string> written(names.size(), "nothing yet");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (texts[i] == written[i]) continue;
    std::ofstream(folder.path() / names[i], std::ios::binary) << texts[i];
    written[i] = texts[i];
  }
  for (const FileRules& rules : {inside, anywhere}) {
    SourceRoom room;
    std::vector<SourceFile> files;
    bool refused = false;
    try {
      collect_sources(names[0], rules, room, files);
    } catch (const SourceError& error) {
      refused = true;
      require(std::string_view(error.what()).size() < 10'000, "an error longer than anybody reads");
    }
    std::set<std::string> found;
    std::size_t read = 0;
    for (const SourceFile& file : files) {
      require(found.insert(file.name).second, "a file was read twice");
      require(rules.allow_outside || !file.name.starts_with(".."), "a file outside the folder was read");
      read += file.text.size();
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (file.name == names[i]) require(file.text == texts[i], "a file with other contents");
      }
    }
    require(found.contains(names[0]), "the source itself is missing");
    require(room.bytes + read == max_all_source_bytes, "the room for sources is counted wrong");
    for (std::size_t i = 1; i < names.size(); ++i) {
      if (!refused && plainly_includes(texts[0], names[i])) {
        require(found.contains(names[i]), "a file that is included is missing");
      }
    }
  }
}

}  // namespace benchctl::fuzz
