#!/bin/sh
# The compiler, with what all its calls have in common:  javac.sh JAVAC ARGUMENT...
javac=$1
shift
exec "$javac" -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -J-XX:SharedArchiveFile=/prepared/javac.jsa -J-Xlog:disable -J-XX:-UsePerfData \
  -J-Xmx320m -encoding UTF-8 -proc:none -Xlint:none "$@"
