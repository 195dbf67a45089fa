#include "base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"

namespace tally {

void KeepStandardStreamsOpen() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY) < 0) ::_exit(kExitSystemError);
  }
}

}  // namespace tally
