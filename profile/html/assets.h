// The files that the page is made of, embedded in the executable when it is built. The scripts are in the order in
// which the page has them.
#pragma once

#include <string_view>
#include <vector>

namespace tally {

struct HtmlAsset {
  std::string_view name;    // "page.css"
  std::string_view sha256;  // in hexadecimal digits
  std::string_view text;
};

const std::vector<HtmlAsset>& HtmlAssets();

}  // namespace tally
