// Files of a task's own in the place of the standard streams: a program opens input.txt and output.txt in its folder. They are made once for
// a worker and have each test's content in turn, so that its sandbox stays the same. Where Tally is root the output becomes that of the
// program's user, which is another one in each worker.
#pragma once

#include <string>
#include <vector>

#include "supervisor/api/run_request.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally {

class NamedFiles {
 public:
  // In `folder`, which is made. A name that is "" is a standard stream.
  NamedFiles(std::string folder, std::string input, std::string output, Isolation isolation);

  [[nodiscard]] std::vector<PlacedFile> Placed() const;
  // Anew for a test: the input's content, and an empty output.
  void Prepare(const std::string& input) const;
  [[nodiscard]] bool has_input() const { return !input_.empty(); }
  [[nodiscard]] bool has_output() const { return !output_.empty(); }
  [[nodiscard]] const std::string& output_name() const { return output_; }
  [[nodiscard]] std::string output_path() const { return folder_ + "/" + output_; }

 private:
  std::string folder_, input_, output_;
  Isolation isolation_;
};

}  // namespace tally
