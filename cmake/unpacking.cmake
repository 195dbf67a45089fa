# What reads archives: TALLY_UNPACK_LIBRARIES.
# libarchive.a wants more libraries than Debian has as archives (libacl, libxml2 with ICU), but only for formats
# and functions we do not use: reading tar needs zlib, liblzma and libzstd, reading zip libbz2 and libnettle.
pkg_check_modules(LIBARCHIVE REQUIRED libarchive)
foreach(library archive lzma zstd bz2 nettle z)
  find_library(TALLY_${library}_ARCHIVE NAMES lib${library}.a REQUIRED)
  list(APPEND TALLY_UNPACK_LIBRARIES ${TALLY_${library}_ARCHIVE})
endforeach()
