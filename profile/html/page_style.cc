#include "profile/html/page_style.h"

#include <fmt/format.h>

#include "base/error.h"

namespace tally {
namespace {

unsigned Digit(char hex) { return static_cast<unsigned>(hex <= '9' ? hex - '0' : hex - 'a' + 10); }

// The policy wants sums in base64, CMake tells them in hexadecimal.
std::string Base64OfHex(std::string_view hex) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, pending = 0;
  for (const char c : hex) {
    pending = pending << 4 | Digit(c);
    bits += 4;
    if (bits < 6) continue;
    bits -= 6;
    out += kDigits[pending >> bits & 63];
  }
  if (bits > 0) out += kDigits[pending << (6 - bits) & 63];
  while (out.size() % 4 != 0) out += '=';
  return out;
}

}  // namespace

const HtmlAsset& Asset(std::string_view name) {
  for (const HtmlAsset& asset : HtmlAssets()) {
    if (asset.name == name) return asset;
  }
  throw SystemError(fmt::format("the page's {} was not built in", name), 0);
}

std::string PolicySum(const HtmlAsset& asset) { return fmt::format(" 'sha256-{}'", Base64OfHex(asset.sha256)); }

std::string PageStyle() {
  return fmt::format("<style>{}</style>\n<style id=\"dark\" media=\"screen and (prefers-color-scheme: dark)\">{}</style>", Asset("page.css").text, Asset("dark.css").text);
}

std::string PageStylePolicy() { return PolicySum(Asset("page.css")) + PolicySum(Asset("dark.css")); }

}  // namespace tally
