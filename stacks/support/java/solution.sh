#!/bin/sh
# Starts the solution where the tests have a process of their own:  solution.sh JAVA CLASSPATH CALLS ANSWERS MOST-OUTPUT
# In its sandbox there is no /proc, where java would look for its libraries.
java=$1 classpath=$2
shift 2
LD_LIBRARY_PATH=${java%/bin/java}/lib
export LD_LIBRARY_PATH
exec "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:SharedArchiveFile=/prepared/runner.jsa -Xlog:disable \
  -XX:-UsePerfData -XX:-UseContainerSupport -Xmx320m \
  --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED \
  --add-opens java.base/java.io=ALL-UNNAMED --add-opens java.base/java.lang=ALL-UNNAMED \
  -cp "$classpath" tally.Solution "$@"
