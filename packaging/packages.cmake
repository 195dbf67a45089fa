# What the packages are called, need and say. CPack reads this when it makes them, so that a version that is given to it
# (-D CPACK_PACKAGE_VERSION=...) is also the one that packages ask of each other.
foreach(tool dpkg-shlibdeps file)  # without them CPack makes packages that depend on nothing
  find_program(found_${tool} ${tool})
  if(NOT found_${tool})
    message(FATAL_ERROR "${tool} is not here: apt-get install dpkg-dev file")
  endif()
endforeach()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(scripts ${CPACK_TALLY_PACKAGING}/deb)

# `tally` itself is static; the libraries are those of tally-dispatcher, tally-filetracker, tally-metrics and tally-serve. Which compilers and test
# frameworks a judge offers is its own affair.
set(CPACK_DEBIAN_TALLY_PACKAGE_NAME tally)
set(CPACK_DEBIAN_TALLY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TALLY_PACKAGE_RECOMMENDS "g++, python3")
set(CPACK_DEBIAN_TALLY_PACKAGE_SUGGESTS "tally-worker, tally-doc, fp-compiler, golang-go, rustc, openjdk-17-jdk-headless, \
python3-pytest, catch2, libgtest-dev, check, junit5")
set(CPACK_DEBIAN_TALLY_PACKAGE_CONTROL_EXTRA ${scripts}/tally/prerm ${scripts}/tally/postrm)
set(CPACK_DEBIAN_TALLY_DESCRIPTION "judge's executor: runs untrusted programs inside limits
Runs programs that nobody trusts in a sandbox and inside limits, counts what
they use (instructions, too, exactly), checks their answers, and gives one
word: OK, WA, TLE, MLE, OLE, RE or RV. Needs no root and no daemon.")

set(CPACK_DEBIAN_WORKER_PACKAGE_NAME tally-worker)
set(CPACK_DEBIAN_WORKER_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_WORKER_PACKAGE_DEPENDS
  "tally (= ${CPACK_PACKAGE_VERSION}), systemd | systemd-standalone-sysusers, systemd | systemd-standalone-tmpfiles")
set(CPACK_DEBIAN_WORKER_PACKAGE_SUGGESTS "rabbitmq-server")
set(CPACK_DEBIAN_WORKER_PACKAGE_CONTROL_EXTRA ${scripts}/worker/conffiles ${scripts}/worker/postinst
  ${scripts}/worker/prerm ${scripts}/worker/postrm)
set(CPACK_DEBIAN_WORKER_DESCRIPTION "service that judges for clients behind RabbitMQ
The systemd unit of `tally worker`, its user, and its settings in
/etc/tally/worker.yaml. It starts when it is told where its broker is:
systemctl enable --now tally-worker.")

set(CPACK_DEBIAN_DOC_PACKAGE_NAME tally-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_DESCRIPTION "documentation and examples of Tally
Everything that a result, a job, a sandbox or a stack can say, and problems
to try Tally with.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libtally-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libstdc++-12-dev | libstdc++-dev, libc6-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "cmake, tally-doc")
set(CPACK_DEBIAN_DEV_DESCRIPTION "Tally as a C++ library
A static library that runs untrusted programs inside limits and compares
their output, its headers, and a CMake package: find_package(tally) gives
the target tally::judge. There is an example in tally-doc.")
