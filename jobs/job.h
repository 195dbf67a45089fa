// A job: an environ in, the same environ with results out. job_type names the kind (docs/jobs.md).
#pragma once

#include "jobs/environ.h"

namespace tally {

// Runs the job and adds its results. UserError and SystemError leave `environ` without result_code.
void RunJob(Environ* environ);

// For whose jobs come from strangers, who do not decide how well a machine is protected. UserError: this one asks for less.
void RequireFullIsolation(const Environ& environ);

// Notes a failure in the environ, as contest systems expect it: result_code SE and the sentence.
void WriteFailure(const std::string& sentence, Environ* environ);

// The kinds. Each reads its own keys.
void RunExecJob(Environ* environ);
void RunInteractiveJob(Environ* environ);
void RunEncdecJob(Environ* environ);
void RunIngenJob(Environ* environ);
void RunInwerJob(Environ* environ);
void RunCompileJob(Environ* environ);
void RunProfileJob(Environ* environ);

}  // namespace tally
