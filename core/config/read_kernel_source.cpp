// Where a kernel's text stands: a file, or the config itself.
#include "config/digest.hpp"
#include "config/read.hpp"
#include "config/read_kernel_parts.hpp"
#include "config/read_words.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace benchctl {

namespace {

/// A text gets a file's name, the same in every run: messages of compilers show it.
std::string name_of_text(const KernelEntry& entry, const std::string& text) {
  return fmt::format("{}-{}", entry.variant.name, digest_text(text).substr(0, 8));
}

void collect(Reporter& reporter, const SourcePlace& place, KernelEntry& entry, Position position,
             const std::string& name, const std::string* text) {
  try {
    if (text == nullptr) {
      collect_sources(name, place.rules, place.room, entry.files);
    } else {
      collect_text(name, *text, place.rules, place.room, entry.files);
      entry.has_text = true;
    }
  } catch (const SourceError& error) {
    reporter.error(position, name, fmt::format("source of {}: {}", place.kernel, error.what()));
  } catch (const std::filesystem::filesystem_error& error) {
    reporter.error(position, name, fmt::format("source of {}: {}", place.kernel, error.what()));
  }
}

}  // namespace

void read_kernel_source(Reporter& reporter, std::initializer_list<const Node*> tables,
                        const SourcePlace& place, KernelEntry& entry, LaunchSpec& launch) {
  for (const Node* table : tables) {
    const Node* source = table->find("source");
    const Node* text = table->find("text");
    if (source == nullptr && text == nullptr) continue;
    if (source != nullptr && text != nullptr) {
      reporter.error(text->position, {}, fmt::format("{} has both 'source' and 'text'", place.kernel),
                     "one of them");
      return;
    }
    const Node& node = source != nullptr ? *source : *text;
    const std::string what = fmt::format("'{}' of {}", source != nullptr ? "source" : "text", place.kernel);
    const std::string word = read_word(reporter, node, what).value_or(Word{}).text;
    if (word.empty()) return;
    launch.source = source != nullptr ? word : name_of_text(entry, word);
    collect(reporter, place, entry, node.position, launch.source, source != nullptr ? nullptr : &word);
    return;
  }
  reporter.error((*tables.begin())->position, {},
                 fmt::format("{} has no 'source' and no 'text'", place.kernel));
}

}  // namespace benchctl
