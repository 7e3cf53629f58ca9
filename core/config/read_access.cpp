// The list `access` of a [[kernel]].
#include "config/read_kernel_parts.hpp"

#include <fmt/format.h>

namespace benchctl {

namespace {

class AccessReader {
 public:
  AccessReader(Reporter& reporter, ExpressionReader& expressions, const Node& node, const std::string& what)
      : reporter_(reporter),
        expressions_(expressions),
        node_(node),
        table_(reporter, node, what, config_table("access of [[kernel]]")) {}

  void read(std::vector<AccessSpec>& into) {
    if (node_.kind != Node::Kind::table) return;
    read_shape();
    const std::size_t before = into.size();
    add("read", AccessKind::read, into);
    add("write", AccessKind::write, into);
    if (into.size() == before)
      reporter_.error(node_.position, {}, "an access has no 'read' and no 'write'", "one of them");
  }

 private:
  [[nodiscard]] std::string expression(const char* key) {
    std::string text;
    expressions_.read(table_.find(key), table_.quoted(key), text);
    return text;
  }

  void read_shape() {
    table_.read("space", spec_.space);
    for (const auto& [key, text] : {std::pair{"offset", &spec_.offset},
                                    {"bytes", &spec_.bytes},
                                    {"active", &spec_.active},
                                    {"times", &spec_.times},
                                    {"threads", &spec_.threads}}) {
      expressions_.read(table_.find(key), table_.quoted(key), *text);
    }
    if (const Node* launch = table_.find("launch")) {
      const auto* number = std::get_if<std::int64_t>(&launch->value);
      if (launch->kind == Node::Kind::integer && *number >= 0) {
        spec_.launch = static_cast<std::size_t>(*number);
      } else {
        wrong_kind(reporter_, *launch, table_.quoted("launch"), "an integer from 0");
      }
    }
    if ((table_.find("offset") == nullptr) == (table_.find("element") == nullptr))
      reporter_.error(node_.position, {}, "an access has one of 'offset' and 'element'", "one of them");
    if (table_.find("element") != nullptr) read_elements();
  }

  /// The same in elements of the problem's type.
  void read_elements() {
    const std::string element = fmt::format("({})", expression("element"));
    const std::string given = expression("elements");
    const std::string of = expression("of");
    const std::string count = given.empty() ? "1" : fmt::format("({})", given);
    spec_.offset = element + " * sizeof(dtype)";
    if (!given.empty()) spec_.bytes = count + " * sizeof(dtype)";
    if (of.empty()) return;
    if (!given.empty()) spec_.bytes = fmt::format("min({}, {} - {}) * sizeof(dtype)", count, of, element);
    const std::string inside = fmt::format("{} < {}", element, of);
    spec_.active = spec_.active == "true" ? inside : fmt::format("{} and ({})", inside, spec_.active);
  }

  void add(const char* key, AccessKind kind, std::vector<AccessSpec>& into) {
    const Node* operands = table_.find(key);
    if (operands == nullptr) return;
    std::vector<std::string> names;
    if (operands->kind == Node::Kind::array) {
      table_.read(key, names);
    } else if (const auto word = read_word(reporter_, *operands, table_.quoted(key))) {
      names.push_back(word->text);
    }
    for (std::string& name : names) {
      spec_.operand = std::move(name);
      spec_.kind = kind;
      into.push_back(spec_);
    }
  }

  Reporter& reporter_;
  ExpressionReader& expressions_;
  const Node& node_;
  TableReader table_;
  AccessSpec spec_;
};

}  // namespace

std::vector<AccessSpec> read_accesses(Reporter& reporter, ExpressionReader& expressions, const Node& node,
                                      const std::string& what) {
  std::vector<AccessSpec> accesses;
  for (const Node& element : children_of(reporter, node, Node::Kind::array, what,
                                         R"(a list such as [{ read = "x", element = "i", of = "n" }])"))
    AccessReader(reporter, expressions, element, fmt::format("an element of {}", what)).read(accesses);
  return accesses;
}

}  // namespace benchctl
