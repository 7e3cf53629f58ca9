// Arrays in files: NumPy's .npy, and raw elements.
//
// Source of .npy: NumPy's documentation of numpy.lib.format (magic, version, length of the header, a
// header that is a Python literal with the keys descr, fortran_order and shape, then the elements).
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include <benchctl/types.hpp>

namespace benchctl {

struct NpyHeader {
  std::string name;          ///< field of a structured element; empty: elements are plain numbers
  std::string type;          ///< as NumPy writes it: `<f8`
  std::uint64_t length = 0;  ///< elements along the first dimension
  bool fortran_order = false;
};

/// Does the stream hold an array? It then stands behind the magic, else where it was.
[[nodiscard]] bool takes_npy_magic(std::istream& in);
/// Reads the rest of a header, of version 1 or 2; the stream stands at the first element afterwards. Throws
/// std::invalid_argument.
[[nodiscard]] NpyHeader read_npy_header(std::istream& in);
/// What `descr` says of an element type: little-endian, and a bf16 is its bits, since NumPy has none.
[[nodiscard]] std::string npy_type(DType type);
/// What stands before the elements of a list of numbers, with the magic; `name` may be empty.
[[nodiscard]] std::string npy_start(std::string_view name, std::string_view type, std::uint64_t length);

/// A file with the contents of one buffer: raw little-endian elements of its type, or NumPy's .npy (version
/// 1 or 2, C order, little-endian or single bytes; bf16 as the `<u2` of its bits; structures as the bytes
/// of a u8 buffer).
struct ArrayFile {
  std::string buffer;
  std::string path;    ///< absolute
  std::string digest;  ///< digest of the contents: other contents make it another declaration
};

/// Reads elements [first, …), as many as fit into `out` exactly. Throws ProblemError when the file does not
/// hold `count` elements of that type.
void read_array(const ArrayFile& file, DType type, std::uint64_t count, std::uint64_t first,
                std::span<std::byte> out);

}  // namespace benchctl
