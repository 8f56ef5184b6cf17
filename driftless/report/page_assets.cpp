#include <map>

#include "driftless/report/page.hpp"

// Puts a file into the program as `driftless_page_NAME` up to `driftless_page_NAME_end`.
#define EMBED(name, file)                                      \
  asm(".pushsection .rodata\n"                                 \
      "driftless_page_" #name ": .incbin \"" file              \
      "\"\n"                                                   \
      "driftless_page_" #name                                  \
      "_end: .byte 0\n"                                        \
      ".globl driftless_page_" #name ", driftless_page_" #name \
      "_end\n"                                                 \
      ".popsection\n");                                        \
  extern "C" const char driftless_page_##name[];               \
  extern "C" const char driftless_page_##name##_end[];         \
  static std::string_view name() { return {driftless_page_##name, driftless_page_##name##_end}; }

EMBED(html, DRIFTLESS_PAGE "/page.html")
EMBED(waiting_html, DRIFTLESS_PAGE "/waiting.html")
EMBED(css, DRIFTLESS_PAGE "/page.css")
EMBED(choice_js, DRIFTLESS_PAGE "/choice.js")
EMBED(colours_js, DRIFTLESS_PAGE "/colours.js")
EMBED(curves_js, DRIFTLESS_PAGE "/curves.js")
EMBED(story_js, DRIFTLESS_PAGE "/story.js")
EMBED(split_js, DRIFTLESS_PAGE "/split.js")
EMBED(figure_js, DRIFTLESS_PAGE "/figure.js")
EMBED(summary_figure_js, DRIFTLESS_PAGE "/summary_figure.js")
EMBED(weather_js, DRIFTLESS_PAGE "/weather.js")
EMBED(network_js, DRIFTLESS_PAGE "/network.js")
EMBED(text_js, DRIFTLESS_PAGE "/text.js")
EMBED(summary_js, DRIFTLESS_PAGE "/summary.js")
EMBED(tuning_js, DRIFTLESS_PAGE "/tuning.js")
EMBED(words_js, DRIFTLESS_PAGE "/words.js")
EMBED(page_js, DRIFTLESS_PAGE "/page.js")
EMBED(live_js, DRIFTLESS_PAGE "/live.js")
EMBED(vega, DRIFTLESS_NPM "/vega/build/vega.min.js")
EMBED(vega_lite, DRIFTLESS_NPM "/vega-lite/build/vega-lite.min.js")
EMBED(vega_embed, DRIFTLESS_NPM "/vega-embed/build/vega-embed.min.js")
EMBED(licence, DRIFTLESS_NPM "/vega/LICENSE")

namespace driftless {

std::string_view page_asset(std::string_view name) {
  static const std::map<std::string_view, std::string_view> assets{
      {"html", html()},
      {"waiting", waiting_html()},
      {"css", css()},
      {"choice", choice_js()},
      {"colours", colours_js()},
      {"curves", curves_js()},
      {"figure", figure_js()},
      {"summary_figure", summary_figure_js()},
      {"story", story_js()},
      {"split", split_js()},
      {"weather", weather_js()},
      {"network", network_js()},
      {"text", text_js()},
      {"summary", summary_js()},
      {"tuning", tuning_js()},
      {"words", words_js()},
      {"page", page_js()},
      {"live", live_js()},
      {"vega", vega()},
      {"vega-lite", vega_lite()},
      {"vega-embed", vega_embed()},
      {"licence", licence()},
  };
  return assets.at(name);
}

}  // namespace driftless
