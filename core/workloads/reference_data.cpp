// Files with right results: raw elements, or NumPy's .npy.
#include <fmt/format.h>

#include <fstream>

#include "workloads/declared.hpp"
#include "workloads/npy.hpp"

namespace benchctl {

namespace {

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

/// The stream stands at the first element afterwards.
void check_npy_header(std::istream& in, const ReferenceFile& file, DType type) {
  NpyHeader header;
  try {
    header = read_npy_header(in);
  } catch (const std::invalid_argument& error) {
    refuse(file, error.what());
  }
  if (header.type != npy_type(type) || !header.name.empty()) {
    refuse(file, fmt::format("it holds elements '{}', the buffer's are {} ('{}')", header.type,
                             to_string(type), npy_type(type)));
  }
  if (header.fortran_order) refuse(file, "it is in Fortran order; store it in C order");
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
  if (takes_npy_magic(in)) check_npy_header(in, file, type);
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
