// Layout: magic, then per array: kind (0 real, 1 index), name length, name, count, count × 8 bytes.
// Native byte order: the file never leaves the machine.
#include "engine/reference_file.hpp"

#include <benchctl/file_draft.hpp>

#include <fmt/format.h>

#include <fstream>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t magic = 0x3130464552484342;  // "BCHREF01"

void put(std::ostream& out, const void* data, std::size_t bytes) {
  out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
}

void put(std::ostream& out, std::uint64_t number) { put(out, &number, sizeof number); }

template <class Number>
void put_arrays(std::ostream& out, std::uint64_t kind,
                const std::map<std::string, std::vector<Number>, std::less<>>& arrays) {
  for (const auto& [name, numbers] : arrays) {
    put(out, kind);
    put(out, name.size());
    put(out, name.data(), name.size());
    put(out, numbers.size());
    put(out, numbers.data(), numbers.size() * sizeof(Number));
  }
}

class Reader {
 public:
  explicit Reader(const fs::path& file) : in_(file, std::ios::binary), file_(file) {
    if (!in_) throw std::runtime_error(fmt::format("cannot read reference file {}", file.string()));
    left_ = fs::file_size(file);
    if (number() != magic) damaged();
  }
  [[nodiscard]] bool more() const { return left_ > 0; }
  std::uint64_t number() {
    std::uint64_t value = 0;
    bytes(&value, sizeof value);
    return value;
  }
  void bytes(void* data, std::uint64_t size) {
    if (size > left_) damaged();
    in_.read(static_cast<char*>(data), static_cast<std::streamsize>(size));
    if (!in_) damaged();
    left_ -= size;
  }
  template <class Number>
  std::vector<Number> array() {
    const std::uint64_t count = number();
    if (count > left_ / sizeof(Number)) damaged();
    std::vector<Number> numbers(count);
    bytes(numbers.data(), count * sizeof(Number));
    return numbers;
  }
  std::string text() {
    const std::uint64_t size = number();
    if (size > left_) damaged();
    std::string name(size, '\0');
    bytes(name.data(), size);
    return name;
  }

 private:
  [[noreturn]] void damaged() const {
    throw std::runtime_error(fmt::format("reference file {} is damaged", file_.string()));
  }
  std::ifstream in_;
  fs::path file_;
  std::uint64_t left_ = 0;
};

}  // namespace

void save_reference(const Reference& reference, const fs::path& file) {
  const FileDraft draft(file);
  {
    std::ofstream out(draft.path(), std::ios::binary | std::ios::trunc);
    put(out, magic);
    put_arrays(out, 0, reference.reals);
    put_arrays(out, 1, reference.indices);
    out.flush();
    if (!out) {
      throw std::runtime_error(
          fmt::format("cannot write reference file {}: is the disk full?", file.string()));
    }
  }
  draft.commit();
}

Reference load_reference(const fs::path& file) {
  Reader reader(file);
  Reference reference;
  while (reader.more()) {
    const std::uint64_t kind = reader.number();
    std::string name = reader.text();
    if (kind == 0) {
      reference.reals[std::move(name)] = reader.array<double>();
    } else {
      reference.indices[std::move(name)] = reader.array<std::uint64_t>();
    }
  }
  return reference;
}

}  // namespace benchctl
