// Files with right results: raw elements, or NumPy's .npy.
//
// Source of the format: NumPy's documentation of numpy.lib.format (magic, version, length of the header, a
// header that is a Python literal with the keys descr, fortran_order and shape, then the elements).
#include <fmt/format.h>

#include <cstring>
#include <fstream>

#include "workloads/declared.hpp"

namespace benchctl {

namespace {

constexpr std::string_view npy_magic{"\x93NUMPY", 6};
constexpr std::size_t max_header = 65536;

[[noreturn]] void refuse(const ReferenceFile& file, const std::string& why) {
  throw ProblemError(fmt::format("reference file {} for buffer {}: {}", file.path, file.buffer, why));
}

/// What `descr` says of our element types; little-endian.
std::string_view npy_type(DType type) {
  switch (type) {
    case DType::f32:
      return "<f4";
    case DType::f64:
      return "<f8";
    case DType::i32:
      return "<i4";
    case DType::u32:
      return "<u4";
    case DType::u8:
      return "|u1";
    case DType::f16:
    case DType::bf16:
      break;
  }
  return "";
}

/// The text between the quotes of `'key': '…'`, or that up to the next comma where there are none. The
/// header is looked at as text, never evaluated.
std::string_view npy_entry(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + key.size() + 3);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  if (rest.starts_with('\'')) return rest.substr(1, rest.find('\'', 1) - 1);
  return rest.substr(0, rest.find(','));
}

/// Reads the header; the stream stands at the first element afterwards.
void read_npy_header(std::istream& in, const ReferenceFile& file, DType type) {
  std::array<unsigned char, 6> fixed{};
  in.read(reinterpret_cast<char*>(fixed.data()), 4);
  std::size_t length = fixed[2] | static_cast<std::size_t>(fixed[3]) << 8;
  if (fixed[0] == 2) {
    in.read(reinterpret_cast<char*>(fixed.data()) + 4, 2);
    length |= static_cast<std::size_t>(fixed[4]) << 16 | static_cast<std::size_t>(fixed[5]) << 24;
  } else if (fixed[0] != 1) {
    refuse(file, fmt::format("version {} of .npy is not read, only 1 and 2", fixed[0]));
  }
  if (!in || length > max_header) refuse(file, "its .npy header is damaged");
  std::string header(length, '\0');
  in.read(header.data(), static_cast<std::streamsize>(length));
  if (!in) refuse(file, "its .npy header is cut short");
  const std::string_view descr = npy_entry(header, "descr");
  if (descr != npy_type(type)) {
    refuse(file, fmt::format("it holds elements '{}', the buffer's are {} ('{}')", descr, to_string(type),
                             npy_type(type)));
  }
  if (npy_entry(header, "fortran_order") != "False")
    refuse(file, "it is in Fortran order; store it in C order");
}

template <class T>
std::vector<double> read_elements(std::istream& in, const ReferenceFile& file, std::uint64_t count) {
  // Grows with what the file has, so that a short file costs no memory for what is not there.
  std::vector<double> values;
  std::vector<T> piece(std::min<std::uint64_t>(count, 1U << 16));
  while (values.size() < count) {
    const std::size_t wanted = std::min<std::uint64_t>(piece.size(), count - values.size());
    in.read(reinterpret_cast<char*>(piece.data()), static_cast<std::streamsize>(wanted * sizeof(T)));
    const std::size_t got = static_cast<std::size_t>(in.gcount()) / sizeof(T);
    for (std::size_t i = 0; i < got; ++i) values.push_back(static_cast<double>(piece[i]));
    if (got < wanted) {
      refuse(file, fmt::format("it ends after {} elements, the buffer has {}", values.size(), count));
    }
  }
  if (in.peek() != std::istream::traits_type::eof()) {
    refuse(file, fmt::format("it holds more than the {} elements of the buffer", count));
  }
  return values;
}

}  // namespace

std::vector<double> read_reference_file(const ReferenceFile& file, DType type, std::uint64_t count) {
  std::ifstream in(file.path, std::ios::binary);
  if (!in) refuse(file, "it cannot be read");
  std::array<char, npy_magic.size()> start{};
  in.read(start.data(), start.size());
  if (in && std::string_view(start.data(), start.size()) == npy_magic) {
    read_npy_header(in, file, type);
  } else {
    in.clear();
    in.seekg(0);
  }
  switch (type) {
    case DType::f32:
      return read_elements<float>(in, file, count);
    case DType::f64:
      return read_elements<double>(in, file, count);
    case DType::i32:
      return read_elements<std::int32_t>(in, file, count);
    case DType::u32:
      return read_elements<std::uint32_t>(in, file, count);
    case DType::u8:
      return read_elements<std::uint8_t>(in, file, count);
    case DType::f16:
    case DType::bf16:
      break;
  }
  refuse(file, "outputs in half precision are not compared");
}

}  // namespace benchctl
