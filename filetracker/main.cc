// tally-filetracker: files of a filetracker server, and the cache in front of it. Exit status: 0; 1 your mistake, or it is not there; 2 the
// server or this machine fails.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "base/command_line.h"
#include "base/error.h"
#include "base/sys.h"
#include "filetracker/cache.h"
#include "filetracker/gzip.h"
#include "filetracker/remote.h"

namespace tally::filetracker {
namespace {

struct Arguments {
  std::string url, folder, name, file;
  unsigned tries = HttpPatience{}.tries;
};

std::string UrlOf(const Arguments& a) {
  if (!a.url.empty()) return a.url;
  const char* const url = std::getenv("FILETRACKER_URL");
  if (url == nullptr) throw UserError("expected --url, or a variable FILETRACKER_URL: http://HOST:PORT");
  return url;
}

// A hard link, where that can be had: nobody changes such a file in place.
void PutInto(const std::string& cached, const std::string& destination) {
  const std::string temporary = destination + ".tally-part";
  ::unlink(temporary.c_str());
  if (::link(cached.c_str(), temporary.c_str()) != 0) {
    const Fd from = sys::Open(cached, O_RDONLY), to = sys::Open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0644);
    Copy(from.get(), to.get());
  }
  if (::rename(temporary.c_str(), destination.c_str()) != 0) throw SystemError(fmt::format("rename {} to {}", temporary, destination), errno);
}

std::string Versioned(const Name& name) { return fmt::format("{}@{}", name.path, name.version); }

template <class Work>
std::function<int()> With(const std::shared_ptr<Arguments>& a, Work work) {
  return [a, work] {
    const Cache cache(a->folder);
    Remote remote(UrlOf(*a), cache, HttpPatience{.tries = static_cast<int>(a->tries)});
    work(*a, &remote, cache);
    return kExitJobRan;
  };
}

Command Add(CommandLine* line, const std::shared_ptr<Arguments>& a, const char* name, const char* description) {
  Command command = line->Add(name, description);
  command.Option("--url", a->url, "The server, http://HOST:PORT (default: $FILETRACKER_URL)");
  command.Option("--dir", a->folder, "The cache (default: $FILETRACKER_DIR, ~/.filetracker-store)");
  command.Option("--tries", a->tries, "How often what fails is tried").Within(1u, 20u);
  return command;
}

int ParseAndRun(int argc, char** argv) {
  CommandLine line("Files of a filetracker server (protocol 2).", "tally-filetracker", argc, argv);
  auto a = std::make_shared<Arguments>();
  Command get = Add(&line, a, "get", "Have a file in the cache and print its path there, or put it somewhere");
  get.Option("name", a->name, "/NAME, or /NAME@VERSION").Required();
  get.Option("file", a->file, "Where to");
  get.Does(With(a, [](const Arguments& its, Remote* remote, const Cache& cache) {
    const Name name = remote->Get(Name::Parse(its.name));
    if (its.file.empty()) {
      fmt::print("{}\n", cache.PathOf(name.path));
    } else {
      PutInto(cache.PathOf(name.path), its.file);
      fmt::print("{}\n", Versioned(name));
    }
  }));
  Command put = Add(&line, a, "put", "Upload a file, and print its versioned name");
  put.Option("name", a->name, "/NAME, or /NAME@VERSION").Required();
  put.Option("file", a->file, "The file").Required();
  put.Does(With(a, [](const Arguments& its, Remote* remote, const Cache&) { fmt::print("{}\n", Versioned(remote->Put(Name::Parse(its.name), its.file))); }));
  Command rm = Add(&line, a, "rm", "Remove a file from the server");
  rm.Option("name", a->name, "/NAME, or /NAME@VERSION").Required();
  rm.Does(With(a, [](const Arguments& its, Remote* remote, const Cache&) { remote->Delete(Name::Parse(its.name)); }));
  Command version = Add(&line, a, "version", "Print a file's version");
  version.Option("name", a->name, "/NAME").Required();
  version.Does(With(a, [](const Arguments& its, Remote* remote, const Cache&) { fmt::print("{}\n", remote->VersionOf(Name::Parse(its.name).path)); }));
  Command list = Add(&line, a, "list", "List what lies below a path");
  list.Option("name", a->name, "/NAME").Required();
  list.Does(With(a, [](const Arguments& its, Remote* remote, const Cache&) {
    for (const std::string& name : remote->List(Name::Parse(its.name).path)) fmt::print("{}\n", name);
  }));
  Command versions = Add(&line, a, "protocols", "Print the protocols that the server speaks");
  versions.Does(With(a, [](const Arguments&, Remote* remote, const Cache&) {
    for (const int one : remote->ProtocolVersions()) fmt::print("{}\n", one);
  }));
  Command clean = Add(&line, a, "clean", "Remove what was not used for longest, until half of a size is left");
  clean.Option("size", a->file, "10G").Required();
  clean.Does([a] {
    Cache(a->folder).Clean(ParseBytes(a->file));
    return kExitJobRan;
  });
  return line.Run("tally-filetracker");
}

}  // namespace
}  // namespace tally::filetracker

int main(int argc, char** argv) {
  try {
    const int status = tally::filetracker::ParseAndRun(argc, argv);
    if (std::fflush(stdout) != 0) throw tally::SystemError("write stdout", errno);
    return status;
  } catch (const tally::UserError& error) {
    tally::Complain(fmt::format("tally-filetracker: {}", error.what()));
    return tally::kExitUserError;
  } catch (const std::exception& error) {
    tally::Complain(fmt::format("tally-filetracker: failure: {}", error.what()));
    return tally::kExitSystemError;
  }
}
