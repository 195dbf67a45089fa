#include "tests/support/network_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include "tests/support/cli_run.h"

namespace tally {

std::optional<std::string> NetworkLine::WhyAbsent() {
  if (::geteuid() != 0) return "only root may make a network namespace with a line to ours";
  const NetworkLine line;
  if (!line.works_) return "this machine lets nobody make such a line (ip netns, veth)";
  return std::nullopt;
}

NetworkLine::NetworkLine() : name_(fmt::format("tally{}", ::getpid())) {
  Run("ip netns add {0}");
  Run("ip link add {0} type veth peer name {0}p");
  Run("ip link set {0}p netns {0}");
  Run("ip addr add 10.213.77.1/30 dev {0}");
  Run("ip -n {0} addr add 10.213.77.2/30 dev {0}p");
  Run("ip link set {0} up");
  Run("ip -n {0} link set {0}p up");
  Run("ip -n {0} link set lo up");
}

NetworkLine::~NetworkLine() {
  Run("ip link del {0}");
  Run("ip netns del {0}");
}

void NetworkLine::Run(const char* command) {
  works_ = Shell(fmt::format(fmt::runtime(command), name_) + " 2>&1").status == 0 && works_;
}

}  // namespace tally
