// Lists the folders argv[1...] (default "/"), one "FOLDER/NAME TYPE" line for each entry. getdents shows what
// is mounted there now; an empty folder under a mount stays hidden as long as it is mounted.
// Tally: OK; the names are the sandbox's and nothing else: no host user's home, no other run's
// files.
#include "program.h"

#include <dirent.h>

static void List(const char* folder) {
  DIR* entries = opendir(folder);
  if (entries == NULL) {
    Report(folder, -1);
    return;
  }
  for (struct dirent* entry; (entry = readdir(entries)) != NULL;) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    const char* type = entry->d_type == DT_DIR ? "dir" : entry->d_type == DT_LNK ? "link" : "file";
    printf("%s/%s %s\n", strcmp(folder, "/") == 0 ? "" : folder, entry->d_name, type);
  }
  closedir(entries);
}

int main(int argc, char** argv) {
  if (argc < 2) List("/");
  for (int i = 1; i < argc; ++i) List(argv[i]);
  End();
  return 0;
}
