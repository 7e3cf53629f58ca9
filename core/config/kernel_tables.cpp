#include "config/kernel_tables.hpp"

#include "config/read.hpp"
#include "config/read_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <system_error>

namespace benchctl {

namespace fs = std::filesystem;

namespace {

constexpr const char* common_name = "common.toml";
/// Tables that include one another.
constexpr std::size_t most_includes = 8;

/// What tables of one folder begin with, and what a table comes to with those that it includes.
struct Contents {
  Node common;    ///< keys of [[kernel]]
  Node tunables;  ///< by name
  std::vector<Node> kernels;
};

Node text_node(const std::string& key, const std::string& text) {
  Node node;
  node.kind = Node::Kind::text;
  node.key = key;
  node.value = text;
  return node;
}

class TableFile {
 public:
  TableFile(Reporter& reporter, std::vector<fs::path>& files) : reporter_(reporter), files_(files) {}

  /// A table over `base`, which has no kernels.
  Contents read(const fs::path& file, const Contents& base) {
    open_.push_back(file);
    if (std::ranges::find(files_, file) == files_.end()) files_.push_back(file);
    const std::uint32_t source = reporter_.add_source({file.string(), read_config_text(file)});
    const Node document = parse_document(reporter_, source);
    const TableReader table(reporter_, document, "the table of kernels");
    Contents all;
    all.tunables = base.tunables;
    if (const Node* include = table.find("include")) read_included(*include, table.quoted("include"), all);
    all.common = base.common;
    if (const Node* common = member_table(table, "common")) lay_over(all.common, *common);
    for (Node& kernel : all.kernels) lay_over(kernel, all.common);
    lay_over(all.tunables, base.tunables);
    if (const Node* tunables = member_table(table, "tunable")) lay_over(all.tunables, *tunables);
    if (const Node* kernels = table.find("kernel"))
      add_kernels(reporter_, *kernels, all.common, all.kernels);
    open_.pop_back();
    return all;
  }

 private:
  /// Null, and reported, if it is something else.
  const Node* member_table(const TableReader& table, const char* key) {
    const Node* member = table.find(key);
    if (member == nullptr || member->kind == Node::Kind::table) return member;
    wrong_kind(reporter_, *member, table.quoted(key), "a table");
    return nullptr;
  }

  void read_included(const Node& include, const std::string& what, Contents& all) {
    const auto words = read_words(reporter_, include, what);
    if (!words) return;
    for (const Word& word : *words) {
      const fs::path file = (open_.back().parent_path() / word.text).lexically_normal();
      std::error_code error;
      if (!fs::is_regular_file(file, error)) {
        reporter_.error(word.position, fmt::format("{}: there is no file '{}'", what, file.string()),
                        "a table, relative to this one");
      } else if (std::ranges::find(open_, file) != open_.end() || open_.size() >= most_includes) {
        reporter_.error(
            word.position,
            fmt::format("{}: tables that include one another in a circle, or {} deep", what, most_includes),
            "tables without it");
      } else {
        Contents included = read(file, {});
        lay_over(all.tunables, included.tunables);
        std::ranges::move(included.kernels, std::back_inserter(all.kernels));
      }
    }
  }

  Reporter& reporter_;
  std::vector<fs::path>& files_;
  std::vector<fs::path> open_;
};

/// Gives each tunable of a kernel what the [tunable.NAME] of its name has and it leaves open.
void complete_tunables(Node& kernel, const Node& shared) {
  const auto tunables = std::ranges::find(kernel.children, "tunables", &Node::key);
  if (tunables == kernel.children.end() || tunables->kind != Node::Kind::table) return;
  for (Node& tunable : tunables->children) {
    const Node* known = shared.find(tunable.key);
    if (known == nullptr) continue;
    Node whole = *known;
    Node own = tunable;
    if (is_scalar(tunable)) {
      own.kind = Node::Kind::table;
      own.children = {tunable};
      own.children.front().key = "default";
    }
    lay_over(whole, own);
    whole.key = tunable.key;
    whole.key_position = tunable.key_position;
    tunable = std::move(whole);
  }
}

void check_entry(Reporter& reporter, const KernelEntry& entry, const std::string& backend,
                 const std::vector<VariantInfo>& others) {
  const VariantInfo& variant = entry.variant;
  for (const Word& open : entry.open_tunables) {
    reporter.error(open.position,
                   fmt::format("kernel '{}': tunable '{}' has no default", variant.name, open.text),
                   fmt::format("{0} = … in its tunables, or default = … in [tunable.{0}]", open.text));
  }
  if (entry.backend != backend) {
    reporter.error(
        entry.backend_position,
        fmt::format("kernel '{}': these tables are read for backend '{}'", variant.name, backend),
        "no 'backend'");
  }
  const bool twice = std::ranges::any_of(others, [&](const VariantInfo& other) {
    return other.workload == variant.workload && other.name == variant.name;
  });
  if (twice) {
    reporter.error(entry.name_position,
                   fmt::format("another table has a kernel '{}' of workload '{}', too", variant.name,
                               variant.workload),
                   "another name");
  }
}

void read_table(const fs::path& file, const std::string& backend, const Contents& base,
                KernelTables& tables) {
  Reporter reporter({});
  Contents contents = TableFile(reporter, tables.files).read(file, base);
  drop_abstract(contents.kernels);
  for (Node& kernel : contents.kernels) complete_tunables(kernel, contents.tunables);
  reporter.throw_if_any();
  const KernelRules rules{{file.parent_path(), true}, false};
  for (KernelEntry& entry : read_kernels(reporter, contents.kernels, rules, Workloads::built_in(), {})) {
    check_entry(reporter, entry, backend, tables.variants);
    tables.variants.push_back(std::move(entry.variant));
  }
  reporter.throw_if_any();
}

}  // namespace

KernelTables read_kernel_tables(const fs::path& folder, const std::string& backend) {
  KernelTables tables;
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".toml" && entry.path().filename() != common_name)
      files.push_back(entry.path());
  }
  std::ranges::sort(files);
  Contents base;
  base.common.children.push_back(text_node("backend", backend));
  if (const fs::path common = folder / common_name; fs::is_regular_file(common, error)) {
    Reporter reporter({});
    base = TableFile(reporter, tables.files).read(common, base);
    reporter.throw_if_any();
  }
  for (const fs::path& file : files) read_table(file, backend, base, tables);
  return tables;
}

std::string backend_of_tables(const fs::path& folder) {
  const fs::path file = folder / common_name;
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return "";
  Reporter reporter({});
  std::vector<fs::path> files;
  const Contents contents = TableFile(reporter, files).read(file, {});
  std::string backend;
  if (const Node* named = contents.common.find("backend"))
    read_value(reporter, *named, "'backend' in [common]", backend);
  reporter.throw_if_any();
  return backend;
}

}  // namespace benchctl
