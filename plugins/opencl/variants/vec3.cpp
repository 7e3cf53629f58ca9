// Variants of workloads `vec3_map` and `vec3_norm2`.
#include "table.hpp"

namespace benchctl::opencl {

namespace {

constexpr const char* pitch = "ceil_div(n, 64) * 64";  // elements from one array of `soa` to the next

AccessSpec access_of(AccessSpace space, AccessKind kind, const std::string& offset,
                     const std::string& bytes, const std::string& active) {
  AccessSpec access;
  access.operand = space == AccessSpace::shared ? "staged" : kind == AccessKind::read ? "in" : "out";
  access.space = space;
  access.kind = kind;
  access.offset = offset;
  access.bytes = bytes;
  access.active = active;
  return access;
}

/// Element number of component c of vector `i`, an expression, in a layout.
std::string place(const std::string& layout, const std::string& i, int c) {
  const std::string component = std::to_string(c);
  if (layout == "aos12") return "3 * (" + i + ") + " + component;
  if (layout == "aos16") return "4 * (" + i + ") + " + component;
  return i + " + " + component + " * " + pitch;
}

/// The three components of vector `vector`, one after the other, in each of the layouts.
std::vector<AccessSpec> components(AccessKind kind, const std::vector<std::string>& layouts,
                                   const std::string& vector, const std::string& active,
                                   const std::string& times = "1") {
  std::vector<AccessSpec> all;
  for (const std::string& layout : layouts) {
    for (int c = 0; c < 3; ++c) {
      all.push_back(access_of(AccessSpace::global, kind,
                              "(" + place(layout, vector, c) + ") * sizeof(dtype)", "sizeof(dtype)",
                              "layout == '" + layout + "' and " + active));
      all.back().times = times;
    }
  }
  return all;
}

void append(std::vector<AccessSpec>& all, const std::vector<AccessSpec>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// vec3_map writes what it reads; vec3_norm2 writes one element per vector.
bool is_map(const VariantInfo& variant) { return variant.workload == "vec3_map"; }

VariantInfo variant(const char* workload, const char* name, const char* doc,
                    std::vector<std::string> layouts) {
  VariantInfo variant;
  variant.workload = workload;
  variant.name = name;
  variant.doc = doc;
  variant.dtypes = {DType::f32, DType::f64};
  variant.layouts = std::move(layouts);
  variant.tunables = {{"block",
                       std::int64_t{256},
                       "Work-items per work-group.",
                       {"block >= 1"},
                       {std::int64_t{64}, std::int64_t{256}}}};
  LaunchSpec launch;
  launch.source = std::string(workload) + "_" + name + ".cl";
  launch.entry = std::string(workload) + "_" + name;
  launch.block = {"block", "1", "1"};
  launch.grid = {"ceil_div(n, block)", "1", "1"};
  launch.arguments = {"in", "out"};
  if (is_map(variant)) launch.arguments.emplace_back("addend");
  launch.arguments.emplace_back("n");
  variant.kernel = KernelSpec{{launch}, {}};
  return variant;
}

LaunchSpec& launch_of(VariantInfo& variant) { return variant.kernel->launches.front(); }

void know_layouts(VariantInfo& variant) {
  LaunchSpec& launch = launch_of(variant);
  launch.arguments.emplace_back("plane");
  launch.defines["AOS12"] = "layout == 'aos12'";
  launch.defines["AOS16"] = "layout == 'aos16'";
  launch.defines["SOA"] = "layout == 'soa'";
}

/// What vec3_norm2 writes where each thread has one vector.
AccessSpec dense_write() {
  return access_of(AccessSpace::global, AccessKind::write, "i * sizeof(dtype)", "sizeof(dtype)", "i < n");
}

VariantInfo scalar(const char* workload) {
  VariantInfo info =
      variant(workload, "scalar",
              "One vector per work-item, component by component as a struct's fields; limited "
              "by memory bandwidth, padding included.",
              {"aos12", "aos16", "soa"});
  know_layouts(info);
  launch_of(info).defines["REAL"] = "ctype(dtype)";
  launch_of(info).defines["USE_FP64"] = "dtype == 'f64'";
  append(info.access, components(AccessKind::read, info.layouts, "i", "i < n"));
  if (is_map(info)) {
    append(info.access, components(AccessKind::write, info.layouts, "i", "i < n"));
  } else {
    info.access.push_back(dense_write());
  }
  return info;
}

VariantInfo vector(const char* workload) {
  VariantInfo info =
      variant(workload, "vector", "One padded vector per work-item in one 16-byte access.", {"aos16"});
  info.dtypes = {DType::f32};
  info.access = {access_of(AccessSpace::global, AccessKind::read, "16 * i", "16", "i < n")};
  info.access.push_back(is_map(info)
                            ? access_of(AccessSpace::global, AccessKind::write, "16 * i", "16", "i < n")
                            : dense_write());
  return info;
}

VariantInfo pair(const char* workload) {
  VariantInfo info = variant(workload, "pair",
                             "One padded vector per work-item in an 8-byte and a 4-byte access, as of a "
                             "struct aligned to 8 bytes.",
                             {"aos16"});
  info.dtypes = {DType::f32};
  const auto both = [](AccessKind kind) {
    return std::vector<AccessSpec>{access_of(AccessSpace::global, kind, "16 * i", "8", "i < n"),
                                   access_of(AccessSpace::global, kind, "16 * i + 8", "4", "i < n")};
  };
  info.access = both(AccessKind::read);
  if (is_map(info)) {
    append(info.access, both(AccessKind::write));
  } else {
    info.access.push_back(dense_write());
  }
  return info;
}

/// All elements of a block's part, moved by its work-items in turn: `packs` of `width` elements in up to
/// three rounds, then what is left one by one.
std::vector<AccessSpec> block_copy(const std::string& count, AccessKind global_kind) {
  const AccessKind shared_kind = global_kind == AccessKind::read ? AccessKind::write : AccessKind::read;
  std::vector<AccessSpec> all;
  const auto add = [&](const std::string& element, const std::string& bytes, const std::string& active) {
    all.push_back(access_of(AccessSpace::global, global_kind,
                            "(bx * 3 * block + " + element + ") * sizeof(dtype)", bytes, active));
    all.push_back(
        access_of(AccessSpace::shared, shared_kind, "(" + element + ") * sizeof(dtype)", bytes, active));
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

VariantInfo shared_staging(const char* workload) {
  VariantInfo info = variant(workload, "shared_staging",
                             "Words loaded as they lie into local memory and taken apart there; limited "
                             "by memory bandwidth.",
                             {"aos12"});
  info.tunables.push_back(
      {"width",
       std::int64_t{1},
       "Elements per global access; with their size at most 16 bytes.",
       {"width == 1 or width == 2 or width == 4", "width * sizeof(dtype) <= 16", "3 * block % width == 0"},
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}});
  LaunchSpec& launch = launch_of(info);
  launch.defines["REAL"] = "ctype(dtype)";
  launch.defines["USE_FP64"] = "dtype == 'f64'";
  launch.defines["BLOCK"] = "block";
  launch.defines["WIDTH"] = "width";
  launch.local_bytes = "3 * block * sizeof(dtype)";
  const std::string count = "min(3 * block, 3 * n - bx * 3 * block)";
  const auto work = [&](AccessKind kind) {
    for (int c = 0; c < 3; ++c) {
      info.access.push_back(access_of(AccessSpace::shared, kind,
                                      "(3 * t + " + std::to_string(c) + ") * sizeof(dtype)",
                                      "sizeof(dtype)", "3 * t < " + count));
    }
  };
  append(info.access, block_copy(count, AccessKind::read));
  work(AccessKind::read);
  if (is_map(info)) {
    work(AccessKind::write);
    append(info.access, block_copy(count, AccessKind::write));
  } else {
    info.access.push_back(dense_write());
  }
  return info;
}

/// The three 16-byte accesses of a thread with four vectors, and the rest that its last thread does one by
/// one.
std::vector<AccessSpec> quad_accesses(AccessKind kind) {
  std::vector<AccessSpec> all;
  for (int part = 0; part < 3; ++part) {
    const std::string number = std::to_string(part);
    all.push_back(access_of(AccessSpace::global, kind, "48 * i + 16 * " + number, "16",
                            "layout == 'aos12' and 4 * i + 4 <= n"));
    all.push_back(access_of(AccessSpace::global, kind, "16 * i + " + number + " * 4 * " + pitch, "16",
                            "layout == 'soa' and 4 * i + 4 <= n"));
  }
  append(all, components(kind, {"aos12", "soa"}, "4 * i", "i == floor_div(n, 4)", "n % 4"));
  return all;
}

VariantInfo quad(const char* workload) {
  VariantInfo info =
      variant(workload, "quad",
              "Four vectors per work-item in three 16-byte accesses; limited by memory bandwidth.",
              {"aos12", "soa"});
  info.dtypes = {DType::f32};
  know_layouts(info);
  launch_of(info).grid = {"ceil_div(n, 4 * block)", "1", "1"};
  append(info.access, quad_accesses(AccessKind::read));
  if (is_map(info)) {
    append(info.access, quad_accesses(AccessKind::write));
  } else {
    info.access.push_back(
        access_of(AccessSpace::global, AccessKind::write, "16 * i", "16", "4 * i + 4 <= n"));
    info.access.push_back(
        access_of(AccessSpace::global, AccessKind::write, "16 * i", "4", "i == floor_div(n, 4)"));
    info.access.back().times = "n % 4";
  }
  return info;
}

const Table::Registration registration([] {
  std::vector<Table::Entry> entries;
  for (const char* workload : {"vec3_map", "vec3_norm2"}) {
    for (const auto make : {scalar, vector, pair, shared_staging, quad})
      entries.push_back({make(workload)});
  }
  return entries;
});

}  // namespace

}  // namespace benchctl::opencl
