#include "config/read_data.hpp"

#include "config/digest.hpp"
#include "config/read.hpp"
#include "config/read_workload.hpp"
#include "config/sources.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace benchctl {

namespace fs = std::filesystem;

std::optional<ArrayFile> DataFileReader::read_array(const Node& member, const std::string& buffer,
                                                    const std::string& place) {
  const auto word = read_word(reporter_, member, fmt::format("'{}' in {}", member.key, place));
  if (!word) return std::nullopt;
  try {
    const fs::path file = locate_file(word->text, rules_);
    ArrayFile found{buffer, file.string(), digest_file(file)};
    keep(word->text, file);
    return found;
  } catch (const std::runtime_error& error) {
    reporter_.error(word->position, word->text, fmt::format("{}: {}", place, error.what()));
    return std::nullopt;
  }
}

DataProgram DataFileReader::read_program(const Node& run, const std::string& what) {
  if (run.kind != Node::Kind::array) {
    wrong_kind(reporter_, run, what, R"(["python3", "gen.py"])");
    return {};
  }
  DataProgram program;
  bool any_file = false;
  std::string missing;
  for (const Node& element : run.children) {
    const auto word = read_word(reporter_, element, fmt::format("an element of {}", what));
    if (!word) return {};
    try {
      const fs::path file = locate_file(word->text, rules_);
      program.run.push_back(file.string());
      program.digests.push_back(digest_file(file));
      keep(word->text, file);
      any_file = true;
    } catch (const std::runtime_error& error) {  // a word that is not a file's name
      program.run.push_back(word->text);
      program.digests.emplace_back();
      if (word->text.find_first_of("./") != std::string::npos && missing.empty()) missing = error.what();
    }
  }
  if (!any_file) {
    reporter_.error(run.position, run.raw,
                    fmt::format("{} names no file in the config's folder{}", what,
                                missing.empty() ? "" : ": " + missing),
                    R"(a program and its file beside the config, such as ["python3", "gen.py"])");
    return {};
  }
  program.folder = fs::absolute(rules_.folder).lexically_normal().string();
  program.file = reporter_.name(run.position.source);
  program.line = run.position.line;
  program.column = run.position.column;
  return program;
}

void DataFileReader::keep(const std::string& name, const fs::path& file) {
  if (fs::file_size(file) > max_kept_bytes) return;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream contents;
  contents << in.rdbuf();
  kept_.push_back({fs::path(name).lexically_normal().generic_string(), std::move(contents).str()});
}

}  // namespace benchctl
