#include "compile/source_remarks.hpp"

#include <algorithm>
#include <cctype>

namespace benchctl::cuda {

namespace {

/// Comments and strings become blanks; lines stay.
std::string bare_code(std::string_view source) {
  std::string code(source);
  const auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, code.size()); ++i) {
      if (code[i] != '\n') code[i] = ' ';
    }
    return end;
  };
  for (std::size_t at = 0; at < source.size();) {
    const std::string_view rest = source.substr(at);
    if (rest.starts_with("//")) {
      at = blank(at, std::min(source.find('\n', at), source.size()));
    } else if (rest.starts_with("/*")) {
      const std::size_t end = source.find("*/", at + 2);
      at = blank(at, end == std::string_view::npos ? source.size() : end + 2);
    } else if (rest.starts_with('"')) {
      std::size_t end = at + 1;
      while (end < source.size() && source[end] != '"' && source[end] != '\n')
        end += source[end] == '\\' ? 2 : 1;
      at = blank(at, end + 1);
    } else {
      ++at;
    }
  }
  return code;
}

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Behind the bracket that opens the parameters of a function called `name`, from `at` on; npos: none.
std::size_t parameters_of(std::string_view code, std::string_view name, std::size_t at) {
  while ((at = code.find(name, at)) != std::string_view::npos) {
    const bool begins = at == 0 || !in_word(code[at - 1]);
    at += name.size();
    const std::size_t open = code.find_first_not_of(" \t\r\n", at);
    if (begins && open != std::string_view::npos && code[open] == '(') return open + 1;
  }
  return at;
}

}  // namespace

std::string host_code_remark(std::string_view source) {
  const std::string code = bare_code(source);
  const std::size_t launch = code.find("<<<");
  const std::size_t program = parameters_of(code, "main", 0);
  const std::size_t first = std::min(launch, program);
  if (first == std::string::npos) return {};
  const auto line = 1 + std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(first), '\n');
  return "line " + std::to_string(line) + " has code for the host (" + (first == launch ? "<<<" : "main") +
         "), which NVRTC does not compile: put the kernel into a file of its own, or what is for the host "
         "between "
         "'#ifndef __CUDACC_RTC__' and '#endif'";
}

bool takes_texture(std::string_view source, std::string_view entry) {
  const std::string code = bare_code(source);
  std::string_view name = entry.substr(0, entry.find('<'));
  if (const std::size_t space = name.rfind("::"); space != std::string_view::npos)
    name.remove_prefix(space + 2);
  for (std::size_t at = 0; (at = parameters_of(code, name, at)) != std::string::npos;) {
    const std::string_view parameters = std::string_view(code).substr(at, code.find(')', at) - at);
    for (const char* type : {"cudaTextureObject_t", "cudaSurfaceObject_t", "CUtexObject", "CUsurfObject"}) {
      if (parameters.find(type) != std::string_view::npos) return true;
    }
  }
  return false;
}

}  // namespace benchctl::cuda
