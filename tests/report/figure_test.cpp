#include "driftless/report/figure.hpp"

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "tests/support/environment.hpp"

namespace driftless::testing {
namespace {

TEST(PictureOfAnSvg, NeedsAProgramWhosePackageItNames) {
  const EnvironmentVariable path("PATH", "/nowhere");
  for (const auto made_of : {png_of, pdf_of}) {
    const std::string fault = fault_in([&] { made_of("<svg/>"); });
    EXPECT_EQ(fault.substr(0, fault.find(", or")),
              "this format needs rsvg-convert, which is not there: apt-get install librsvg2-bin");
  }
}

}  // namespace
}  // namespace driftless::testing
