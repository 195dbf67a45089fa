// tally-dispatcher: the worker that evaluates for clients behind a broker, and such a client. `tally worker` and `tally submit`
// become this executable, which brings the libraries that `tally` does without. Exit status: 0 it
// ran, whatever the verdict; 1 the user's mistake; 2 our or the host's failure.
#include <fmt/format.h>
#include <signal.h>

#include <cstdio>
#include <exception>

#include "base/error.h"
#include "base/sys.h"
#include "dispatcher/commands.h"

namespace {

int ParseAndRun(int argc, char** argv) {
  tally::CommandLine line("Evaluates solutions of many kinds for clients behind RabbitMQ.", "tally", argc, argv);
  tally::AddWorkerCommand(&line);
  tally::AddSioWorkerCommand(&line);
  tally::AddInstanceCommand(&line);
  tally::AddSubmitCommand(&line);
  return line.Run("tally");
}

}  // namespace

int main(int argc, char** argv) {
  tally::sys::ReapOwnChildren();
  try {
    const int status = ParseAndRun(argc, argv);
    if (std::fflush(stdout) != 0) throw tally::SystemError("write stdout", errno);
    return status;
  } catch (const tally::Interrupted& interrupt) {
    // Everything is released by now; who started us is to see the signal.
    ::signal(interrupt.signal, SIG_DFL);
    ::raise(interrupt.signal);
    return tally::kExitSystemError;
  } catch (const tally::UserError& error) {
    tally::Complain(fmt::format("tally: {}", error.what()));
    return tally::kExitUserError;
  } catch (const std::exception& error) {
    tally::Complain(fmt::format("tally: failure: {}", error.what()));
    return tally::kExitSystemError;
  }
}
