// A precompiled header belongs to a target, and that to a file (tally_library.cmake).
