// `benchctl man`: the manual page, made from the parser's own tables, so that it cannot fall behind.
#include "cli/command.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <memory>
#include <string_view>

namespace benchctl::cli {

namespace {

/// The code point that begins at `i`, which moves behind it. The texts are those of this program: valid
/// UTF-8.
char32_t next_code_point(std::string_view text, std::size_t& i) {
  const auto byte = [&](std::size_t at) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[at]));
  };
  const char32_t first = byte(i++);
  const int more = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  char32_t value = more == 0 ? first : first & (0x3FU >> more);
  for (int k = 0; k < more && i < text.size(); ++k) value = value << 6U | (byte(i++) & 0x3FU);
  return value;
}

/// Text as roff shows it: no character is taken for a command, and none depends on the reader's locale.
std::string roff(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    const bool begins_line = result.empty() || result.back() == '\n';
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'') {
      result += "\\(aq";
    } else if (c == '`') {
      result += "\\(ga";
    } else if (c < 0x80) {
      result += c == '.' && begins_line ? "\\&." : std::string(1, static_cast<char>(c));
    } else {
      result += fmt::format("\\[u{:04X}]", static_cast<std::uint32_t>(c));
    }
  }
  return result;
}

std::string option_entry(const CLI::Option& option) {
  const std::string value = option.get_type_size() > 0 ? option.get_type_name() : "";
  std::string text = fmt::format(".TP\n\\fB{}\\fR", roff(option.get_name(option.get_positional(), true)));
  if (!value.empty()) text += fmt::format(" \\fI{}\\fR", roff(value));
  text += '\n' + roff(option.get_description());
  if (!option.get_default_str().empty())
    text += fmt::format(" (default: {})", roff(option.get_default_str()));
  return text + ".\n";
}

std::string option_entries(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) text += option_entry(*option);
  return text;
}

/// `before` names the commands that these belong to.
std::string commands_of(const CLI::App& app, const std::string& before) {
  std::string text;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_group().empty()) continue;
    const std::string name = before + ' ' + command->get_name();
    text += fmt::format(".SS {}\n{}.\n{}{}", roff(name), roff(command->get_description()),
                        option_entries(*command), commands_of(*command, name));
  }
  return text;
}

std::string page(const CLI::App& app) {
  const std::string title = app.get_description();
  return fmt::format(
      ".TH BENCHCTL 1 \"\" \"benchctl {0}\" \"User Commands\"\n"
      ".SH NAME\nbenchctl \\- {1}\n"
      ".SH SYNOPSIS\n.B benchctl\n.I COMMAND\n[\\fIOPTION\\fR]...\n"
      ".SH OPTIONS\n{2}"
      ".SH COMMANDS\n{3}"
      ".SH EXIT STATUS\n{4}\n"
      ".SH SEE ALSO\nThe documents in share/doc/benchctl, beside the folder bin of this program; README.md "
      "names "
      "them all.\n",
      BENCHCTL_VERSION, roff(title.substr(title.find(": ") + 2)), option_entries(app),
      commands_of(app, "benchctl"), roff(app.get_footer()));
}

}  // namespace

void add_man(CLI::App& app, Common&) {
  CLI::App* command = app.add_subcommand("man", "The manual page, as roff");
  command->group("");  // for the build, which installs its output
  auto output = std::make_shared<std::string>();
  command->add_option("-o,--output", *output, "File to write (default: standard output)")
      ->type_name("FILE");
  command->callback([&app, output] { write_output(page(app), *output); });
}

}  // namespace benchctl::cli
