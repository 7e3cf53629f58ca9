// A config that declares `[workload.own_scale]`, y = 2 x, and what its tests ask of it.
#pragma once

#include "config/errors.hpp"
#include "support/paths.hpp"
#include "workloads/declared.hpp"
#include "workloads/values.hpp"

#include <cstring>
#include <string>
#include <vector>

namespace benchctl::test::declared {

inline const std::string tail =
    "[experiment]\nname = \"x\"\n[[sweep]]\nworkload = \"own_scale\"\n"
    "[[kernel]]\nname = \"plain\"\nworkload = \"own_scale\"\nbackend = \"gpu\"\nsource = \"s.cu\"\nentry = "
    "\"go\"\n"
    "block = 1\ngrid = 1\n";
inline const std::string scale =
    "[workload.own_scale]\ndoc = \"y = 2 x\"\nparameters = { n = 8, dtype = [\"f32\", \"f64\"] }\n"
    "cost = { flops = \"n\" }\n"
    "[[workload.own_scale.buffer]]\nname = \"x\"\ntype = \"dtype\"\ncount = \"n\"\nrole = \"in\"\nfill = "
    "\"index\"\n"
    "[[workload.own_scale.buffer]]\nname = \"y\"\ntype = \"dtype\"\ncount = \"n\"\nrole = \"out\"\n"
    "[[workload.own_scale.scalar]]\nname = \"n\"\n";
inline const std::string by_kernel =
    "[workload.own_scale.check]\nkernel = \"plain\"\nrelative = \"2 * roundoff\"\n";

inline Config read(const TemporaryDirectory& folder, const std::string& text) {
  static_cast<void>(folder.write("s.cu", "kernel\n"));
  return parse_config(text + tail, "x.toml", {folder.path(), false});
}

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

/// The workload of such a config, and its problem of n elements.
struct Declared {
  explicit Declared(const std::string& text) : config(read(folder, text)) {}
  Declared(const TemporaryDirectory& files, const std::string& text) : config(read(files, text)) {}

  [[nodiscard]] const Workload& workload() const { return *config.workloads.find("own_scale"); }
  [[nodiscard]] ProblemSpec problem(std::int64_t n) const {
    return workload().problem(complete_parameters(workload(), {{"n", n}}), "");
  }

  TemporaryDirectory folder;
  Config config;
};

/// A file of version 1 of .npy.
inline std::string npy(const std::string& dictionary, const std::string& elements) {
  std::string text = "\x93NUMPY\x01";
  text += {'\0', static_cast<char>(dictionary.size()), '\0'};
  return text + dictionary + elements;
}

inline std::string errors(const std::string& text) {
  const TemporaryDirectory folder;
  return refusal([&] { return read(folder, text); });
}

inline std::vector<float> filled(const Workload& workload, const ProblemSpec& spec, std::size_t buffer) {
  std::vector<float> values(spec.buffers[buffer].count);
  workload.generate(spec, buffer, 3, 0, std::as_writable_bytes(std::span(values)));
  return values;
}

/// Checks y = `values` against a reference of 2 x.
inline Verification judged(const Workload& workload, const ProblemSpec& spec, const Reference& reference,
                           const std::vector<float>& values) {
  return workload.check(
      spec, "f32", reference, [&](std::size_t, std::uint64_t offset, std::span<std::byte> out) {
        std::memcpy(out.data(), std::as_bytes(std::span(values)).data() + offset, out.size());
      });
}

/// The reference that a trusted kernel leaves with these outputs.
inline Reference trusted(const Workload& workload, const ProblemSpec& spec,
                         const std::vector<float>& right) {
  return workload.reference_from(spec, [&](std::size_t, std::uint64_t, std::span<std::byte> out) {
    std::memcpy(out.data(), right.data(), out.size());
  });
}

}  // namespace benchctl::test::declared
