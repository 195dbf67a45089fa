// A solution as its author hands it in: one source, one executable, or a folder with the sources of one program. And a folder of many
// solutions, as a teacher has it.
#pragma once

#include <string>
#include <vector>

#include "jobs/compilation.h"

namespace tally {

struct SolutionFiles {
  std::string main;                     // the source that begins the program, or the executable
  std::vector<MoreFile> more_sources;   // of the same language
  std::vector<MoreFile> more_files;     // what else lies beside: headers, modules
};

// `path` is a file or a folder. In a folder the one source that defines the program's entry begins it, or the one called main, or the only
// one. UserError where that is none or several, or what cannot be read.
SolutionFiles FilesOfSolution(const std::string& path);

// A folder is one solution where FilesOfSolution knows how it begins, else each of its sources, executables and folders is one. Others stay
// as they are, with folders that cannot be read or have none: FilesOfSolution says what is wrong with them.
std::vector<std::string> SolutionsAt(const std::string& path);

// The names in a folder of many solutions, less hidden ones, that `solutions` leaves out: a student's file of a language that nobody knows here,
// or a link, should not be lost without a word.
std::vector<std::string> LeftOut(const std::string& path, const std::vector<std::string>& solutions);

}  // namespace tally
