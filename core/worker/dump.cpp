#include "worker/dump.hpp"

#include "workloads/array_files.hpp"
#include "workloads/values.hpp"

#include <fmt/format.h>

#include <fstream>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

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
