#!/bin/sh
# Starts the runner of Java's tests:  run.sh JAVA CLASSPATH [OPTION...]
# In its sandbox there is no /proc, where java would look for its libraries.
java=$1 classpath=$2
shift 2
LD_LIBRARY_PATH=${java%/bin/java}/lib
export LD_LIBRARY_PATH
exec "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:SharedArchiveFile=/prepared/runner.jsa -Xlog:disable \
  -XX:-UsePerfData -XX:-UseContainerSupport -Xmx320m -Djava.security.manager=allow \
  --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED \
  --add-opens java.base/java.io=ALL-UNNAMED --add-opens java.base/java.lang=ALL-UNNAMED \
  --add-opens java.base/sun.nio.ch=ALL-UNNAMED \
  "$@" -cp "$classpath" tally.Runner 9<&0 </dev/null
