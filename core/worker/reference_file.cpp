#include "worker/reference_file.hpp"

#include <benchctl/file_draft.hpp>

#include "model/words.hpp"
#include "workloads/array_files.hpp"

#include <fmt/format.h>

#include <fstream>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

// A file holds an array of NumPy's .npy after the other, each with the name of its output: f8 are reals, u8
// indices.
constexpr std::string_view real_type = "<f8";
constexpr std::string_view index_type = "<u8";

template <class Arrays>
void put_arrays(std::ostream& out, std::string_view type, const Arrays& arrays) {
  for (const auto& [name, numbers] : arrays) {
    out << npy_start(name, type, numbers.size());
    out.write(reinterpret_cast<const char*>(numbers.data()),
              static_cast<std::streamsize>(numbers.size() * sizeof numbers[0]));
  }
}

template <class Number>
std::vector<Number> take_array(std::istream& in, std::uint64_t length, std::uint64_t bytes_left) {
  if (length > bytes_left / sizeof(Number)) throw std::invalid_argument("it is cut short");
  std::vector<Number> numbers(length);
  in.read(reinterpret_cast<char*>(numbers.data()), static_cast<std::streamsize>(length * sizeof(Number)));
  if (!in) throw std::invalid_argument("it cannot be read to its end");
  return numbers;
}

}  // namespace

void save_reference(const Reference& reference, const fs::path& file) {
  const FileDraft draft(file);
  std::ofstream out(draft.path(), std::ios::binary | std::ios::trunc);
  put_arrays(out, real_type, reference.reals);
  put_arrays(out, index_type, reference.indices);
  out.close();
  if (!out) {
    throw std::runtime_error(fmt::format("cannot write reference file {}: is the disk full?", file));
  }
  draft.commit();
}

Reference load_reference(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(fmt::format("cannot read reference file {}", file));
  const std::uint64_t size = fs::file_size(file);
  Reference reference;
  try {
    while (in.peek() != std::ifstream::traits_type::eof()) {
      if (!takes_npy_magic(in)) throw std::invalid_argument("an array begins with something else");
      NpyHeader header = read_npy_header(in);
      const std::uint64_t left = size - static_cast<std::uint64_t>(in.tellg());
      if (header.type == real_type) {
        reference.reals[std::move(header.name)] = take_array<double>(in, header.length, left);
      } else if (header.type == index_type) {
        reference.indices[std::move(header.name)] = take_array<std::uint64_t>(in, header.length, left);
      } else {
        throw std::invalid_argument(fmt::format("it holds elements '{}'", header.type));
      }
    }
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(fmt::format("reference file {} is damaged: {}", file, error.what()));
  }
  return reference;
}

}  // namespace benchctl
