// What a [[kernel]] takes over from others.
#include "config/expressions.hpp"
#include "config/read.hpp"
#include "config/read_kernel.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace benchctl {

namespace {

/// The text of a member; empty if there is none.
std::string text_of(const Node& table, std::string_view key) {
  const Node* member = table.find(key);
  return member != nullptr && member->kind == Node::Kind::text ? std::get<std::string>(member->value) : "";
}

/// The last of that name.
const Node* kernel_above(Reporter& reporter, const Node& like, const std::vector<Node>& list) {
  const std::string name = like.kind == Node::Kind::text ? std::get<std::string>(like.value) : "";
  const auto found = std::find_if(list.rbegin(), list.rend(),
                                  [&](const Node& kernel) { return text_of(kernel, "name") == name; });
  if (found != list.rend()) return &*found;
  Names names;
  for (const Node& kernel : list) add_once(names, text_of(kernel, "name"));
  reporter.unknown_name(like.position, name,
                        fmt::format("'like' in [[kernel]]: no kernel above is called '{}'", name), names);
  return nullptr;
}

/// Makes a table of a list of macros: `TILE = tile` is a member with that key and the expression as its
/// text, a name alone one that has it as key and text.
void make_table_of(Node& defines) {
  if (defines.kind != Node::Kind::array) return;
  defines.kind = Node::Kind::table;
  for (Node& member : defines.children) {
    member.key = member.kind == Node::Kind::text ? std::get<std::string>(member.value) : member.raw;
    member.key_position = member.position;
    const std::size_t end = member.key.find(" = ");
    if (end == std::string::npos || !is_identifier(std::string_view(member.key).substr(0, end))) continue;
    member.value = member.key.substr(end + 3);
    member.key.resize(end);
  }
}

/// With tables for lists of definitions, its own and those of launches.
Node with_definitions(Node member) {
  if (member.key == "defines") make_table_of(member);
  if (member.key != "launch") return member;
  for (Node& launch : member.children) {
    for (Node& part : launch.children) part = with_definitions(std::move(part));
  }
  return member;
}

/// Is it a list of tables that all have a name, such as `scratch`?
bool have_names(const Node& list) {
  return list.kind == Node::Kind::array && !list.children.empty() &&
         std::ranges::none_of(list.children,
                              [](const Node& element) { return text_of(element, "name").empty(); });
}

}  // namespace

void lay_over(Node& lower, const Node& upper) {
  if (have_names(lower) && have_names(upper)) {
    for (const Node& element : upper.children) {
      const auto found = std::ranges::find(lower.children, text_of(element, "name"),
                                           [](const Node& other) { return text_of(other, "name"); });
      if (found == lower.children.end()) {
        lower.children.push_back(element);
      } else {
        lay_over(*found, element);
      }
    }
    return;
  }
  if (lower.kind != Node::Kind::table || upper.kind != Node::Kind::table) {
    lower = upper;
    return;
  }
  for (const Node& given : upper.children) {
    const Node member = with_definitions(given);
    const auto found = std::ranges::find(lower.children, member.key, &Node::key);
    if (found == lower.children.end()) {
      lower.children.push_back(member);
    } else {
      lay_over(*found, member);
    }
  }
}

void add_kernels(Reporter& reporter, const Node& kernels, const Node& common, std::vector<Node>& list) {
  const std::size_t given = list.size();
  const auto place_in_list = [&](const Node& kernel) {
    const std::string workload = text_of(kernel, "workload");
    const std::string of_all = workload.empty() ? text_of(common, "workload") : workload;
    return std::find_if(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(given),
                        [&](const Node& other) {
                          return text_of(other, "name") == text_of(kernel, "name") &&
                                 (of_all.empty() || text_of(other, "workload") == of_all);
                        });
  };
  for (const Node& element :
       children_of(reporter, kernels, Node::Kind::array, "'kernel'", "one [[kernel]] or more", least_one)) {
    const Node* like = element.find("like");
    const auto known = place_in_list(element);
    if (known != list.begin() + static_cast<std::ptrdiff_t>(given)) {
      lay_over(*known, element);
      known->position = element.position;
      continue;
    }
    const Node* base = like != nullptr ? kernel_above(reporter, *like, list) : &common;
    Node kernel = base != nullptr ? *base : common;
    std::erase_if(kernel.children, [](const Node& member) { return member.key == "abstract"; });
    lay_over(kernel, element);
    kernel.position = element.position;
    list.push_back(std::move(kernel));
  }
}

void drop_abstract(std::vector<Node>& kernels) {
  std::erase_if(kernels, [](const Node& kernel) {
    const Node* abstract = kernel.find("abstract");
    return abstract != nullptr && abstract->kind == Node::Kind::boolean && std::get<bool>(abstract->value);
  });
}

}  // namespace benchctl
