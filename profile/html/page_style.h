// The style that all of Tally's pages have, as elements of a page's head, and how its Content-Security-Policy names what was built in: by its sum.
#pragma once

#include <string>
#include <string_view>

#include "profile/html/assets.h"

namespace tally {

const HtmlAsset& Asset(std::string_view name);
// " 'sha256-...'"
std::string PolicySum(const HtmlAsset& asset);

// Two <style>: page.css, and with the id `dark` dark.css, which is in use on a screen where the reader's system is dark, until a script says
// otherwise.
std::string PageStyle();
std::string PageStylePolicy();  // their sums

}  // namespace tally
