// Requests to the sink and the agent's page from arbitrary bytes: what is complete lies within them, is within the
// limits, and is the same whatever follows; what is refused says why in one line.
#include "base/http_request.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tally;

TALLY_FUZZ_TARGET(http_request) {
  const HttpLimits limits{.head = 512, .body = 1024};
  const HttpParse parse = ParseHttpRequest(input, limits);
  switch (parse.state) {
    case HttpParse::State::kIncomplete:
      fuzz::Require(input.size() <= limits.head + 4 + limits.body);
      break;
    case HttpParse::State::kRefused:
      fuzz::Require(parse.status >= 400 && parse.status < 500);
      fuzz::Require(!parse.reason.empty() && parse.reason.find('\n') == std::string::npos);
      break;
    case HttpParse::State::kComplete:
      fuzz::Require(parse.size <= input.size() && parse.request.body.size() <= limits.body);
      fuzz::Require(!parse.request.method.empty() && parse.request.target.starts_with('/'));
      const HttpParse again = ParseHttpRequest(input.substr(0, parse.size), limits);
      fuzz::Require(again.state == HttpParse::State::kComplete && again.request.body == parse.request.body);
      fuzz::Require(ParseHttpRequest(input.substr(0, parse.size - 1), limits).state != HttpParse::State::kComplete);
  }
}
