#include "driftless/report/page.hpp"

namespace driftless {

std::string json_for_script(const nlohmann::ordered_json& data) {
  using Handler = nlohmann::ordered_json::error_handler_t;
  const std::string plain = data.dump(-1, ' ', false, Handler::replace);
  std::string escaped;
  escaped.reserve(plain.size());
  for (const char& letter : plain)
    escaped += letter == '<' ? std::string_view("\\u003c") : std::string_view(&letter, 1);
  return escaped;
}

std::string figure_scripts() {
  std::string scripts;
  for (const char* name : {"choice", "colours", "curves", "figure", "summary_figure"})
    scripts += page_asset(name);
  return scripts;
}

std::string report_page(const nlohmann::ordered_json& data) {
  const std::string json = json_for_script(data);
  std::string page;
  std::string_view rest = page_asset(data.contains("groups") ? "html" : "waiting");
  for (std::size_t mark = rest.find("{{"); mark != rest.npos; mark = rest.find("{{")) {
    const std::size_t end = rest.find("}}", mark);
    const std::string_view name = rest.substr(mark + 2, end - mark - 2);
    page.append(rest.substr(0, mark)).append(name == "data" ? json : page_asset(name));
    rest.remove_prefix(end + 2);
  }
  return page.append(rest);
}

}  // namespace driftless
