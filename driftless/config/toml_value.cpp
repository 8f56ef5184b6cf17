#include "driftless/config/toml_value.hpp"

#include <fmt/format.h>

namespace driftless {
namespace {

std::optional<Value> scalar(const toml::node& node) {
  if (const auto* boolean = node.as_boolean()) return boolean->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* text = node.as_string()) return text->get();
  return std::nullopt;
}

// All elements; none where one is of another type.
template <class Element>
std::optional<Value> list_of(const toml::array& nodes) {
  std::vector<Element> elements;
  for (const toml::node& node : nodes) {
    const std::optional<Element> element = node.value_exact<Element>();
    if (!element) return std::nullopt;
    elements.push_back(*element);
  }
  return elements;
}

std::string_view article_and_type(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return "a list";
  return "a date or time";
}

}  // namespace

std::optional<Value> value_for(const Key& key, const toml::node& node) {
  const toml::array* nodes = node.as_array();
  if (nodes == nullptr || !key.is_list()) return scalar(node);
  return key.type == Key::Type::integers ? list_of<std::int64_t>(*nodes)
                                         : list_of<std::string>(*nodes);
}

std::string fault_of_node(const Key& key, const toml::node& node) {
  const toml::array* nodes = node.as_array();
  if (nodes == nullptr || !key.is_list()) {
    const std::string_view hint = nodes != nullptr ? "; a list of values belongs in [sweep]" : "";
    return fmt::format("{} is {}; expected {}{}", key.name, article_and_type(node),
                       key.expectation(), hint);
  }
  // One of the elements is of another type: the loop ends there, if not before.
  const Option single = key.element();
  for (std::size_t k = 0;; ++k) {
    const std::optional<Value> value = scalar((*nodes)[k]);
    const std::string fault =
        value ? single.fault(*value) : fmt::format("expected {}", single.expectation());
    if (fault.empty()) continue;
    const std::string found =
        value ? toml_literal(*value) : std::string(article_and_type((*nodes)[k]));
    return fmt::format("{}: element {} is {}; {}", key.name, k + 1, found, fault);
  }
}

}  // namespace driftless
