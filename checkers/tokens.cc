#include "checkers/tokens.h"

#include "checkers/kernels.h"
#include "checkers/token_walk.h"

namespace tally {

std::optional<TokenMismatch> CompareTokens(std::string_view expected, std::string_view got) {
  return TokenWalk(Cursor(expected), Cursor(got), BestKernel()).Run();
}

}  // namespace tally
