#include "worker/reference_file.hpp"

#include <benchctl/file_draft.hpp>

#include "model/words.hpp"
#include "workloads/array_files.hpp"
#include "workloads/values.hpp"

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

template <class Number>
void write_truth(const fs::path& folder, const BufferSpec& buffer, DType type,
                 const std::vector<Number>& truth, const std::vector<Number>& held) {
  if (truth.size() != buffer.count) return;  // a part of it is all that is compared
  std::vector<double> difference;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    // Whole numbers wrap around, so that the difference of near ones is exact.
    if constexpr (std::is_integral_v<Number>) {
      difference.push_back(static_cast<double>(static_cast<std::int64_t>(held[i] - truth[i])));
    } else {
      difference.push_back(held[i] - truth[i]);
    }
  }
  write_array(folder / (buffer.name + ".truth.npy"), type, std::as_bytes(std::span(truth)));
  write_array(folder / (buffer.name + ".difference.npy"), DType::f64, std::as_bytes(std::span(difference)));
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

void write_array(const fs::path& file, DType type, std::span<const std::byte> elements) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << npy_start("", npy_type(type), elements.size() / size_of(type));
  out.write(reinterpret_cast<const char*>(elements.data()), static_cast<std::streamsize>(elements.size()));
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}: is the disk full?", file.string()));
}

void dump_buffers(const ProblemSpec& spec, const BufferReader& read, const Reference& reference,
                  const fs::path& folder) {
  fs::create_directories(folder);
  for (std::size_t i = 0; i < spec.buffers.size(); ++i) {
    const BufferSpec& buffer = spec.buffers[i];
    std::vector<std::byte> bytes(buffer.bytes());
    read(i, 0, bytes);
    write_array(folder / (buffer.name + ".npy"), buffer.type, bytes);
    Reference held;
    append_elements(held, buffer.name, buffer.type, bytes);
    const auto reals = reference.reals.find(buffer.name);
    const auto whole = reference.indices.find(buffer.name);
    if (reals != reference.reals.end() && held.reals.contains(buffer.name))
      write_truth(folder, buffer, DType::f64, reals->second, held.reals[buffer.name]);
    if (whole != reference.indices.end() && held.indices.contains(buffer.name))
      write_truth(folder, buffer, buffer.type, whole->second, held.indices[buffer.name]);
  }
}

}  // namespace benchctl
