// The list `access` of a [[kernel]].
#include "config/read.hpp"
#include "config/read_kernel.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

namespace benchctl {

namespace {

class AccessReader {
 public:
  AccessReader(Reporter& reporter, ExpressionReader& expressions, const Node& node, const std::string& what)
      : reporter_(reporter),
        expressions_(expressions),
        node_(node),
        table_(reporter, node, what, "access of [[kernel]]") {}

  void read(std::vector<AccessSpec>& into) {
    if (!table_.is_table()) return;
    read_shape();
    const Names loaded = operands("read");
    const Names stored = operands("write");
    if (table_.find("read") == nullptr && table_.find("write") == nullptr)
      reporter_.error(node_.position, "an access has no 'read' and no 'write'", "one of them");
    const auto add = [&] {
      for (const auto& [names, kind] :
           {std::pair{&loaded, AccessKind::read}, {&stored, AccessKind::write}}) {
        for (const std::string& name : *names) {
          into.push_back(spec_);
          into.back().operand = name;
          into.back().kind = kind;
        }
      }
    };
    for (const std::string& place : expressions("offset")) {
      spec_.offset = place;
      add();
    }
    const AccessSpec shape = spec_;
    for (const std::string& place : expressions("element")) {
      spec_ = shape;
      count_in_elements(place);
      add();
    }
  }

 private:
  [[nodiscard]] std::string expression(const char* key) {
    std::string text;
    expressions_.read(table_, key, text);
    return text;
  }

  /// One, or a list of them.
  [[nodiscard]] std::vector<std::string> expressions(const char* key) {
    const Node* node = table_.find(key);
    if (node == nullptr) return {};
    if (node->kind != Node::Kind::array) return {expression(key)};
    if (node->children.empty())
      wrong_kind(reporter_, *node, table_.quoted(key), "an expression, or a list of them");
    return expressions_.read_list(*node, table_.quoted(key));
  }

  void read_shape() {
    table_.read("space", spec_.space);
    for (const auto& [key, text] : {std::pair{"bytes", &spec_.bytes},
                                    {"active", &spec_.active},
                                    {"times", &spec_.times},
                                    {"threads", &spec_.threads}}) {
      expressions_.read(table_, key, *text);
    }
    spec_.launch =
        static_cast<std::size_t>(table_.integer("launch", 0, std::int64_t{max_members}).value_or(0));
    if ((table_.find("offset") == nullptr) == (table_.find("element") == nullptr))
      reporter_.error(node_.position, "an access has one of 'offset' and 'element'", "one of them");
    given_ = expression("elements");
    of_ = expression("of");
  }

  /// Place and size in elements of the problem's type.
  void count_in_elements(const std::string& place) {
    const std::string element = fmt::format("({})", place);
    const std::string count = given_.empty() ? "1" : fmt::format("({})", given_);
    spec_.offset = element + " * sizeof(dtype)";
    if (!given_.empty()) spec_.bytes = count + " * sizeof(dtype)";
    if (of_.empty()) return;
    if (!given_.empty()) spec_.bytes = fmt::format("min({}, {} - {}) * sizeof(dtype)", count, of_, element);
    const std::string inside = fmt::format("{} < {}", element, of_);
    spec_.active = spec_.active == "true" ? inside : fmt::format("{} and ({})", inside, spec_.active);
  }

  /// One word, or a list of them.
  [[nodiscard]] Names operands(const char* key) {
    Names names;
    const Node* node = table_.find(key);
    if (node == nullptr) return names;
    if (node->kind == Node::Kind::array) {
      table_.read(key, names);
    } else if (const auto word = read_word(reporter_, *node, table_.quoted(key))) {
      names.push_back(word->text);
    }
    return names;
  }

  Reporter& reporter_;
  ExpressionReader& expressions_;
  const Node& node_;
  TableReader table_;
  AccessSpec spec_;
  std::string given_;  ///< elements of an access
  std::string of_;     ///< elements of the operand
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
