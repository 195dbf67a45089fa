// Judges one program on one test: one_test PROGRAM INPUT ANSWER. Prints the verdict, and what the program used.
#include <fcntl.h>
#include <tally/judge.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace {

std::string Contents(const char* path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(std::string(path) + ": cannot be read");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// What was written into `file`, from its beginning.
std::string Written(std::FILE* file) {
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  return text;
}

int Judge(const char* program, const char* input, const char* answer_file) {
  const std::string answer = Contents(answer_file);
  std::FILE* const output = std::tmpfile();

  tally::RunRequest request;
  request.stdin_fd = ::open(input, O_RDONLY | O_CLOEXEC);
  if (request.stdin_fd < 0 || output == nullptr) throw std::runtime_error(std::string(input) + ": cannot be read");
  request.stdout_fd = ::fileno(output);
  request.limits.user_time = std::chrono::seconds(1);
  request.limits.wall_time = std::chrono::seconds(5);
  request.limits.memory = tally::Bytes::MiB(64);
  request.limits.output = tally::Bytes::MiB(16);
  const tally::RunResult result = tally::JudgedProgram(program).Run(request);

  const auto mismatch = tally::CompareTokens(answer, Written(output));
  const bool is_wrong = result.code == tally::ResultCode::kOk && mismatch.has_value();
  std::cout << (is_wrong ? "WA" : tally::Name(result.code)) << "  "
            << (is_wrong ? tally::Describe(mismatch, {}) : result.sentence) << "\n"
            << tally::FormatDuration(result.user_time) << ", "
            << (result.memory.has_value() ? tally::FormatBytes(result.memory.value()) : result.memory.reason()) << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: one_test PROGRAM INPUT ANSWER\n";
    return 1;
  }
  try {
    return Judge(argv[1], argv[2], argv[3]);
  } catch (const std::exception& error) {
    std::cerr << "one_test: " << error.what() << "\n";
    return 2;
  }
}
