// `benchctl plugin new`: a folder with a plugin that builds, loads and keeps the contract, to be filled in.
// What it is made of lies in core/cli/scaffold and, installed, in share/benchctl/scaffold: files in which
// @NAME@ stands for the plugin's name and @SDK@ for the version of the SDK.
#include "cli/command.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>

namespace benchctl::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_name = 32;

struct PluginNewArguments {
  std::string name;
  std::string kind;
  std::string folder;
};

/// It becomes a file name, a C++ namespace and what users write in front of a device.
void check_name(const std::string& name, const Common& common) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  const bool begins = !name.empty() && name.front() >= 'a' && name.front() <= 'z';
  if (!begins || !std::ranges::all_of(name, fits) || name.ends_with('_') ||
      name.find("__") != std::string::npos || name.size() > longest_name) {
    throw UsageError(
        fmt::format("'{}' cannot be a plugin's name: up to {} lower-case letters, digits and single '_', "
                    "a letter first",
                    name, longest_name));
  }
  static const std::vector<std::string> taken{
      "benchctl", "std",      "auto",     "bool",    "break",    "case",    "catch",     "char",
      "class",    "const",    "continue", "default", "delete",   "do",      "double",    "else",
      "enum",     "export",   "extern",   "false",   "float",    "for",     "friend",    "goto",
      "if",       "inline",   "int",      "long",    "main",     "mutable", "namespace", "new",
      "not",      "operator", "or",       "and",     "xor",      "private", "protected", "public",
      "register", "return",   "short",    "signed",  "sizeof",   "static",  "struct",    "switch",
      "template", "this",     "throw",    "true",    "try",      "typedef", "typename",  "union",
      "unsigned", "using",    "virtual",  "void",    "volatile", "while",   "concept",   "requires"};
  if (std::ranges::find(taken, name) != taken.end()) {
    throw UsageError(
        fmt::format("'{}' is a word of C++ or a namespace that is taken; choose another name", name));
  }
  for (const fs::path& folder : common.search_path()) {
    const fs::path file = folder / fmt::format("libbenchctl_{}.so", name);
    if (fs::exists(file)) {
      throw UsageError(
          fmt::format("there is a plugin '{}' already ({}); of two with one name only the first is "
                      "loaded, so choose another",
                      name, file.string()));
    }
  }
}

/// Writes every file of a template folder into `target`, names without their last `.in`.
std::vector<fs::path> write_folder(const fs::path& source, const fs::path& target,
                                   const std::string& name) {
  std::vector<fs::path> written;
  const std::string sdk = fmt::format("{}.{}", BENCHCTL_SDK_MAJOR, BENCHCTL_SDK_MINOR);
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".in") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    fs::path relative = fs::relative(entry.path(), source);
    relative.replace_extension();
    fs::create_directories((target / relative).parent_path());
    write_output(replaced(replaced(text, "@NAME@", name), "@SDK@", sdk), (target / relative).string());
    written.push_back(relative);
  }
  return written;
}

void run(const PluginNewArguments& options, const Common& common) {
  check_name(options.name, common);
  const fs::path target = options.folder.empty() ? fs::path(options.name) : fs::path(options.folder);
  if (fs::exists(target) && !(fs::is_directory(target) && fs::is_empty(target))) {
    throw UsageError(fmt::format("{} is there already; nothing is overwritten, give another folder with -o",
                                 target.string()));
  }
  const fs::path templates = scaffold_folder();
  if (!fs::is_directory(templates / options.kind)) {
    throw UsageError(fmt::format("this installation has no {}; reinstall benchctl",
                                 (templates / options.kind).string()));
  }
  std::vector<fs::path> files = write_folder(templates / "common", target, options.name);
  for (fs::path& file : write_folder(templates / options.kind, target, options.name))
    files.push_back(std::move(file));
  std::ranges::sort(files);
  for (const fs::path& file : files) fmt::print("{}\n", (target / file).string());
  fmt::print(
      "\nNext:\n"
      "  cmake -S {0} -B {0}/build -DCMAKE_PREFIX_PATH={1}\n"
      "  cmake --build {0}/build\n"
      "  ctest --test-dir {0}/build --output-on-failure\n"
      "  grep -rn \"FILL IN\" {0}\n",
      target.string(), own_program().parent_path().parent_path().string());
}

}  // namespace

void add_plugin(CLI::App& app, Common& common) {
  CLI::App* plugin = app.add_subcommand("plugin", "Start or check a plugin");
  plugin->require_subcommand(1);
  add_plugin_check(*plugin, common);
  CLI::App* command = plugin->add_subcommand("new", "Write a folder with a working plugin to start from");
  auto options = std::make_shared<PluginNewArguments>();
  command->add_option("name", options->name, "Name of the plugin, which is that of its backend")
      ->required()
      ->type_name("NAME");
  command
      ->add_option(
          "--kind", options->kind,
          "native: variants are functions of the plugin; jit: they are kernel files, compiled at run time")
      ->required()
      ->check(CLI::IsMember({"native", "jit"}));
  command->add_option("-o,--output", options->folder, "Folder to write (default: ./NAME)")
      ->type_name("FOLDER");
  command->callback([&common, options] { run(*options, common); });
}

}  // namespace benchctl::cli
