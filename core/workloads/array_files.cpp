#include "workloads/array_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <istream>
#include <stdexcept>

#include "workloads/workload.hpp"

namespace benchctl {

namespace {

constexpr std::string_view npy_magic{"\x93NUMPY", 6};
constexpr std::size_t most_header_bytes = 65536;

/// What stands behind `'key': `. The header is looked at as text, never evaluated.
std::string_view npy_entry(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + key.size() + 3);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return rest;
}

/// Takes the next text in quotes.
std::string take_quoted(std::string_view& text) {
  text.remove_prefix(std::min(text.find('\'') + 1, text.size()));
  const std::string_view quoted = text.substr(0, text.find('\''));
  text.remove_prefix(std::min(quoted.size() + 1, text.size()));
  return std::string(quoted);
}

[[noreturn]] void refuse(const ArrayFile& file, const std::string& why) {
  throw ProblemError(fmt::format("file {} for buffer {}: {}", file.path, file.buffer, why));
}

/// The stream stands at the first element afterwards.
void check_npy_header(std::istream& in, const ArrayFile& file, DType type) {
  NpyHeader header;
  try {
    header = read_npy_header(in);
  } catch (const std::invalid_argument& error) {
    refuse(file, error.what());
  }
  const bool is_structure = !header.name.empty() || header.type.starts_with("|V");
  if (is_structure ? type != DType::u8 : header.type != npy_type(type)) {
    refuse(file, fmt::format("it holds {}, the buffer's elements are {} ('{}')",
                             is_structure ? "structures" : "elements '" + header.type + "'",
                             to_string(type), npy_type(type)));
  }
  if (header.fortran_order) refuse(file, "it is in Fortran order; store it in C order");
}

}  // namespace

bool takes_npy_magic(std::istream& in) {
  const auto begin = in.tellg();
  std::array<char, npy_magic.size()> start{};
  in.read(start.data(), start.size());
  if (in && std::string_view(start.data(), start.size()) == npy_magic) return true;
  in.clear();
  in.seekg(begin);
  return false;
}

std::string npy_type(DType type) {
  const char kind = type == DType::bf16 ? 'u' : to_string(type).front();
  return fmt::format("{}{}{}", size_of(type) == 1 ? '|' : '<', kind, size_of(type));
}

NpyHeader read_npy_header(std::istream& in) {
  std::array<unsigned char, 6> fixed{};
  in.read(reinterpret_cast<char*>(fixed.data()), 4);
  std::size_t length = fixed[2] | static_cast<std::size_t>(fixed[3]) << 8;
  if (fixed[0] == 2) {
    in.read(reinterpret_cast<char*>(fixed.data()) + 4, 2);
    length |= static_cast<std::size_t>(fixed[4]) << 16 | static_cast<std::size_t>(fixed[5]) << 24;
  } else if (fixed[0] != 1) {
    throw std::invalid_argument(fmt::format("version {} of .npy is not read, only 1 and 2", fixed[0]));
  }
  if (!in || length > most_header_bytes) throw std::invalid_argument("its .npy header is damaged");
  std::string text(length, '\0');
  in.read(text.data(), static_cast<std::streamsize>(length));
  if (!in) throw std::invalid_argument("its .npy header is cut short");
  NpyHeader header;
  std::string_view descr = npy_entry(text, "descr");
  if (descr.starts_with('[')) header.name = take_quoted(descr);
  header.type = take_quoted(descr);
  header.fortran_order = !npy_entry(text, "fortran_order").starts_with("False");
  const std::string_view shape = npy_entry(text, "shape");
  if (shape.starts_with('(')) std::from_chars(shape.data() + 1, shape.data() + shape.size(), header.length);
  return header;
}

std::string npy_start(std::string_view name, std::string_view type, std::uint64_t length) {
  const std::string descr =
      name.empty() ? fmt::format("'{}'", type) : fmt::format("[('{}', '{}')]", name, type);
  const std::string text =
      fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({},), }}", descr, length);
  // The elements begin at a multiple of 64 bytes behind the magic's first.
  const std::size_t before = npy_magic.size() + 4;
  const std::size_t padded = (before + text.size() + 1 + 63) / 64 * 64 - before;
  std::string start(npy_magic);
  start += {'\x01', '\0', static_cast<char>(padded & 0xFF), static_cast<char>(padded >> 8)};
  return start + fmt::format("{:<{}}\n", text, padded - 1);
}

void read_array(const ArrayFile& file, DType type, std::uint64_t count, std::uint64_t first,
                std::span<std::byte> out) {
  std::ifstream in(file.path, std::ios::binary);
  if (!in) refuse(file, "it cannot be read");
  if (takes_npy_magic(in)) check_npy_header(in, file, type);
  const auto start = in.tellg();
  in.seekg(0, std::ios::end);
  const auto bytes = static_cast<std::uint64_t>(in.tellg() - start);
  if (bytes < count * size_of(type)) {
    refuse(file, fmt::format("it ends after {} elements, the buffer has {}", bytes / size_of(type), count));
  }
  if (bytes > count * size_of(type)) {
    refuse(file, fmt::format("it holds more than the {} elements of the buffer", count));
  }
  in.seekg(start + static_cast<std::streamoff>(first * size_of(type)));
  in.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
  if (!in) refuse(file, "it cannot be read to its end");
}

}  // namespace benchctl
