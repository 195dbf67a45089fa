// Files between us and a checker or an interactor: what it is to read, and what it leaves, which nobody trusts.
#pragma once

#include <optional>
#include <string>

#include "base/temporary_directory.h"
#include "checkers/protocol.h"
#include "supervisor/api/run_request.h"
#include "supervisor/api/run_result.h"

namespace tally {

// As a Kattis validator is told of its folder: files' names are put right behind it (problem package format, "Output validators").
inline constexpr const char* kFeedbackArgument = "/box/feedback/";

// The folder a Kattis validator writes its feedback into.
std::string MakeFeedbackFolder(const TemporaryDirectory& directory, Isolation isolation);
// Gives it to those who may write there: as root another user, and each process of ours has one of its own for what it runs.
void GiveFeedbackFolder(const std::string& folder, Isolation isolation);

// A file that a tool of the package's is to read. Under reduced isolation it comes to files by their own paths, and where Tally is root as a
// user who may not pass there: then this is a copy in the tool's own folder.
std::string ReachableFile(const std::string& path, const TemporaryDirectory& directory, const char* name, Isolation isolation);

// The first 64 KiB. Only a regular file is read: a link left by a hostile validator must not be followed.
std::optional<std::string> ReadFeedback(const std::string& path);

// The same of a file that means points: what is no regular file is no number either.
std::optional<std::string> ReadPoints(const std::string& path);

CheckerRun::End HowItEnded(const RunResult& result);

}  // namespace tally
