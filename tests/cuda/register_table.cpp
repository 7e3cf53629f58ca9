#include "register_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

namespace benchctl::test {

using cuda::KernelUsage;

namespace {

constexpr std::string_view version_mark = "# NVRTC ";
constexpr std::string_view made_by =
    "# Per thread: registers, bytes of spills; per block: bytes of static shared memory. Written by "
    "tools/registers.\n";
constexpr std::string_view heading =
    "workload,kernel,definitions,architecture,registers,spill_stores,spill_loads,shared_bytes\n";

/// The text up to the next `mark`, which is taken off `rest` as well.
std::string_view next(std::string_view& rest, char mark) {
  const std::size_t length = std::min(rest.find(mark), rest.size());
  const std::string_view taken = rest.substr(0, length);
  rest.remove_prefix(std::min(length + 1, rest.size()));
  return taken;
}

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) {
    throw std::runtime_error("'" + std::string(text) + "' is no number");
  }
  return number;
}

/// What the table keeps of a usage.
std::array<std::uint64_t, 4> numbers_of(const KernelUsage& usage) {
  return {usage.registers, usage.spill_store_bytes, usage.spill_load_bytes, usage.shared_bytes};
}

/// Per warp, multiprocessors deal out registers by 256: what counts is how many eights a thread takes.
std::uint64_t eights(std::uint64_t registers) { return (registers + 7) / 8; }

bool are_alike(const KernelUsage& one, const KernelUsage& other) {
  const auto [fewer, more] = std::minmax({eights(one.registers), eights(other.registers)});
  KernelUsage same = one;
  if (more - fewer <= 1) same.registers = other.registers;
  return numbers_of(same) == numbers_of(other);
}

void read_row(std::string_view line, std::map<CompiledKernel, KernelUsage>& rows) {
  CompiledKernel key;
  for (std::string* text : {&key.workload, &key.kernel, &key.definitions, &key.architecture}) {
    *text = next(line, ',');
  }
  KernelUsage usage;
  for (std::uint64_t* number :
       {&usage.registers, &usage.spill_store_bytes, &usage.spill_load_bytes, &usage.shared_bytes}) {
    *number = number_of(next(line, ','));
  }
  if (!line.empty()) throw std::runtime_error("there is more than a row has");
  if (!rows.emplace(key, usage).second) throw std::runtime_error("a kernel comes twice");
}

}  // namespace

std::string to_text(const CompiledKernel& kernel) {
  return kernel.workload + ": " + kernel.kernel + " [" + kernel.definitions + "] for " +
         kernel.architecture;
}

std::string to_text(const KernelUsage& usage) {
  return std::to_string(usage.registers) + " registers, " + std::to_string(usage.spill_store_bytes) +
         " bytes of spill stores, " + std::to_string(usage.spill_load_bytes) + " of spill loads, " +
         std::to_string(usage.shared_bytes) + " bytes of shared memory";
}

std::string to_csv(const RegisterTable& table) {
  std::string csv = std::string(version_mark) + table.nvrtc + "\n";
  csv += made_by;
  csv += heading;
  for (const auto& [key, usage] : table.rows) {
    for (const std::string* text : {&key.workload, &key.kernel, &key.definitions, &key.architecture}) {
      if (text->find_first_of(",\"\n") != std::string::npos) {
        throw std::runtime_error("the table has no quotes for " + *text);
      }
      csv += *text + ",";
    }
    const char* between = "";
    for (const std::uint64_t number : numbers_of(usage)) {
      csv += between + std::to_string(number);
      between = ",";
    }
    csv += "\n";
  }
  return csv;
}

RegisterTable parse_register_table(std::string_view csv) {
  RegisterTable table;
  std::size_t number = 0;
  while (!csv.empty()) {
    std::string_view line = next(csv, '\n');
    ++number;
    try {
      if (line.starts_with(version_mark)) {
        table.nvrtc = line.substr(version_mark.size());
      } else if (!line.starts_with('#') && line != heading.substr(0, heading.size() - 1)) {
        read_row(line, table.rows);
      }
    } catch (const std::runtime_error& error) {
      throw std::runtime_error("line " + std::to_string(number) + ": " + error.what());
    }
  }
  if (table.nvrtc.empty()) throw std::runtime_error("no line says which NVRTC the table is of");
  return table;
}

std::vector<std::string> differences(const std::map<CompiledKernel, KernelUsage>& table,
                                     const std::map<CompiledKernel, KernelUsage>& now) {
  std::vector<std::string> found;
  for (const auto& [key, usage] : table) {
    const auto other = now.find(key);
    if (other == now.end()) {
      found.push_back(to_text(key) + ": in the table, but no variant's any more");
    } else if (!are_alike(other->second, usage)) {
      found.push_back(to_text(key) + ": " + to_text(other->second) + "; the table has " + to_text(usage));
    }
  }
  for (const auto& [key, usage] : now) {
    if (!table.contains(key)) found.push_back(to_text(key) + ": not in the table; " + to_text(usage));
  }
  return found;
}

}  // namespace benchctl::test
