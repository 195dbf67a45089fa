// The texts of docs/schemas; schemas.cc is made of them by CMake.
#pragma once

namespace tally {

extern const char* const kEvalRequestSchema;
extern const char* const kEvalResponseSchema;

}  // namespace tally
