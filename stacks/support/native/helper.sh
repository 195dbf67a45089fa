#!/bin/sh
# Makes a program of ours that runs in each evaluation: without shared libraries, if this machine has the C library so, for to load it
# takes as long as they run.
#   helper.sh CC NAME
set -eu
make() { "$1" -std=gnu17 -O1 -s "$3" -o "$2" "/tally/native/$2.c"; }
make "$@" -static 2>/dev/null || make "$@" -O1
