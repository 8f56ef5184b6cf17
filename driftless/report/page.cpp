#include "driftless/report/page.hpp"

#include <string_view>

#include "driftless/report/page_assets.hpp"

namespace driftless {

std::string json_for_script(const nlohmann::ordered_json& data) {
  using Handler = nlohmann::ordered_json::error_handler_t;
  const std::string plain = data.dump(-1, ' ', false, Handler::replace);
  std::string escaped;
  escaped.reserve(plain.size());
  for (const char letter : plain) {
    if (letter == '<') {
      escaped += "\\u003c";
    } else {
      escaped += letter;
    }
  }
  return escaped;
}

std::string report_page(const nlohmann::ordered_json& data) {
  const PageAssets assets = page_assets();
  const std::string json = json_for_script(data);
  std::string page;
  page.reserve(json.size() + assets.vega.size() + assets.vega_lite.size() + 200'000);
  std::string_view rest = assets.html;
  const auto put = [&](std::string_view mark, std::string_view contents) {
    const std::size_t place = rest.find(mark);
    page.append(rest.substr(0, place)).append(contents);
    rest.remove_prefix(place + mark.size());
  };
  // In the order of page.html.
  put("{{css}}", assets.css);
  put("{{data}}", json);
  put("{{licence}}", assets.licence);
  put("{{vega}}", assets.vega);
  put("{{vega-lite}}", assets.vega_lite);
  put("{{vega-embed}}", assets.vega_embed);
  put("{{figure}}", assets.figure_js);
  put("{{network}}", assets.network_js);
  put("{{page}}", assets.page_js);
  return page.append(rest);
}

}  // namespace driftless
