#pragma once

#include <string_view>

namespace driftless {

// The files that a report page is put together from; they are part of the program.
struct PageAssets {
  std::string_view html;  // with a place for each of the others: <!-- css --> and so on
  std::string_view css;
  std::string_view page_js;     // the page's own life: choices, table, text
  std::string_view figure_js;   // the figure as a Vega-Lite specification
  std::string_view network_js;  // the network as a Vega specification
  std::string_view vega;
  std::string_view vega_lite;
  std::string_view vega_embed;
  std::string_view licence;  // of the three
};
PageAssets page_assets();

}  // namespace driftless
