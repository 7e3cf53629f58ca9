// Memory instructions of workloads `vec3_map`, which writes what it reads, and `vec3_norm2`, which writes
// one element per vector.
#pragma once

#include <benchctl/access_spec.hpp>

namespace benchctl::patterns {

/// Elements from one array of layout `soa` to the next.
inline constexpr const char* vec3_pitch = "ceil_div(n, 64) * 64";

[[nodiscard]] inline AccessSpec vec3_access(AccessSpace space, AccessKind kind, const std::string& offset,
                                            const std::string& bytes, const std::string& active) {
  const char* operand = space == AccessSpace::shared ? "staged" : kind == AccessKind::read ? "in" : "out";
  return access(space, kind, operand, offset, bytes, active);
}

/// Element number of component `c` of vector `i`, an expression, in a layout.
[[nodiscard]] inline std::string vec3_place(const std::string& layout, const std::string& i, int c) {
  const std::string component = std::to_string(c);
  if (layout == "aos12") return "3 * (" + i + ") + " + component;
  if (layout == "aos16") return "4 * (" + i + ") + " + component;
  return i + " + " + component + " * " + vec3_pitch;
}

/// The three components of vector `vector`, one after the other, in each of the layouts.
[[nodiscard]] inline Accesses vec3_components(AccessKind kind, const std::vector<std::string>& layouts,
                                              const std::string& vector = "i",
                                              const std::string& active = "i < n",
                                              const std::string& times = "1") {
  Accesses all;
  for (const std::string& layout : layouts) {
    for (int c = 0; c < 3; ++c) {
      all.push_back(vec3_access(AccessSpace::global, kind,
                                "(" + vec3_place(layout, vector, c) + ") * sizeof(dtype)", "sizeof(dtype)",
                                "layout == '" + layout + "' and " + active));
      all.back().times = times;
    }
  }
  return all;
}

/// All elements of an array as they lie, padding included, a thread each.
[[nodiscard]] inline Accesses vec3_elements(AccessKind kind) {
  Accesses all;
  const auto add = [&](const char* layout, const std::string& count) {
    all.push_back(whole(kind, kind == AccessKind::read ? "in" : "out", count));
    all.back().active = std::string("layout == '") + layout + "'";
  };
  add("aos12", "3 * n");
  add("aos16", "4 * n");
  add("soa", std::string("3 * ") + vec3_pitch);
  return all;
}

/// What is read, and what `vec3_map` writes, made by `make(kind)`; vec3_norm2 writes element i.
template <class Make>
[[nodiscard]] Accesses vec3_in_and_out(bool map, Make make) {
  Accesses all = make(AccessKind::read);
  if (map) {
    append(all, make(AccessKind::write));
  } else {
    all.push_back(
        vec3_access(AccessSpace::global, AccessKind::write, "i * sizeof(dtype)", "sizeof(dtype)", "i < n"));
  }
  return all;
}

/// One vector per thread, field by field.
[[nodiscard]] inline Accesses vec3_scalar(bool map, const std::vector<std::string>& layouts) {
  return vec3_in_and_out(map, [&](AccessKind kind) { return vec3_components(kind, layouts); });
}

/// One padded vector of floats per thread in one access.
[[nodiscard]] inline Accesses vec3_vector(bool map) {
  return vec3_in_and_out(map, [](AccessKind kind) {
    return Accesses{vec3_access(AccessSpace::global, kind, "16 * i", "16", "i < n")};
  });
}

/// One padded vector of floats per thread in an 8-byte and a 4-byte access.
[[nodiscard]] inline Accesses vec3_pair(bool map) {
  return vec3_in_and_out(map, [](AccessKind kind) {
    return Accesses{vec3_access(AccessSpace::global, kind, "16 * i", "8", "i < n"),
                    vec3_access(AccessSpace::global, kind, "16 * i + 8", "4", "i < n")};
  });
}

/// Elements of a block's part of an array, those of up to `block` 12-byte structs.
inline constexpr const char* vec3_block_elements = "min(3 * block, 3 * n - bx * 3 * block)";

/// Between that part and shared memory, by the block's threads in turn: packs of `width` elements, a
/// tunable, in up to three rounds, then what is left one by one. `kind` is that of the access to global
/// memory.
[[nodiscard]] inline Accesses vec3_block_copy(AccessKind kind) {
  const AccessKind shared_kind = kind == AccessKind::read ? AccessKind::write : AccessKind::read;
  const std::string count = vec3_block_elements;
  Accesses all;
  const auto add = [&](const std::string& element, const std::string& bytes, const std::string& active) {
    all.push_back(vec3_access(AccessSpace::global, kind,
                              "(bx * 3 * block + " + element + ") * sizeof(dtype)", bytes, active));
    all.push_back(
        vec3_access(AccessSpace::shared, shared_kind, "(" + element + ") * sizeof(dtype)", bytes, active));
  };
  const std::string packs = "floor_div(" + count + ", width)";
  for (int round = 0; round < 3; ++round) {
    const std::string pack = "(" + std::to_string(round) + " * block + t)";
    add(pack + " * width", "width * sizeof(dtype)", pack + " < " + packs);
  }
  const std::string rest = packs + " * width + t";
  add(rest, "sizeof(dtype)", rest + " < " + count);
  return all;
}

/// Staged in shared memory, where each thread takes its vector apart.
[[nodiscard]] inline Accesses vec3_staged(bool map) {
  return vec3_in_and_out(map, [](AccessKind kind) {
    const bool load = kind == AccessKind::read;
    Accesses fields;
    for (int c = 0; c < 3; ++c) {
      fields.push_back(vec3_access(AccessSpace::shared, kind,
                                   "(3 * t + " + std::to_string(c) + ") * sizeof(dtype)", "sizeof(dtype)",
                                   std::string("3 * t < ") + vec3_block_elements));
    }
    Accesses all = load ? vec3_block_copy(kind) : fields;
    append(all, load ? fields : vec3_block_copy(kind));
    return all;
  });
}

/// Four vectors of floats per thread in three 16-byte accesses; the rest one by one, by the last thread.
[[nodiscard]] inline Accesses vec3_quad(bool map) {
  const auto quads = [](AccessKind kind) {
    Accesses all;
    for (int part = 0; part < 3; ++part) {
      const std::string number = std::to_string(part);
      all.push_back(vec3_access(AccessSpace::global, kind, "48 * i + 16 * " + number, "16",
                                "layout == 'aos12' and 4 * i + 4 <= n"));
      all.push_back(vec3_access(AccessSpace::global, kind, "16 * i + " + number + " * 4 * " + vec3_pitch,
                                "16", "layout == 'soa' and 4 * i + 4 <= n"));
    }
    append(all, vec3_components(kind, {"aos12", "soa"}, "4 * i", "i == floor_div(n, 4)", "n % 4"));
    return all;
  };
  Accesses all = quads(AccessKind::read);
  if (map) {
    append(all, quads(AccessKind::write));
  } else {
    all.push_back(vec3_access(AccessSpace::global, AccessKind::write, "16 * i", "16", "4 * i + 4 <= n"));
    all.push_back(
        vec3_access(AccessSpace::global, AccessKind::write, "16 * i", "4", "i == floor_div(n, 4)"));
    all.back().times = "n % 4";
  }
  return all;
}

}  // namespace benchctl::patterns
