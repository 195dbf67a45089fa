#!/bin/sh
# calls_nothing.sh ARCHIVE MEMBER SYMBOL: fails where MEMBER needs anything but SYMBOL of others. It runs before libc is started, and a
# compiler may call memcpy for what is no call in the source.
nm -u "$1" | awk -v member="$2:" -v allowed="$3" '
  /:$/ { inside = $0 == member; found = found || inside; next }
  inside && NF == 2 && $2 != allowed { print member, $2, "is called, and is not there before libc is"; bad = 1 }
  END { if (!found) print member, "is not in the archive"; exit bad || !found }'
