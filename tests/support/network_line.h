// A network namespace with one line to ours (a veth pair), which a test can cut and mend. Gone with its owner.
#pragma once

#include <optional>
#include <string>

namespace tally {

class NetworkLine {
 public:
  // Why there can be none here; nullopt where there can.
  static std::optional<std::string> WhyAbsent();

  NetworkLine();
  ~NetworkLine();
  NetworkLine(const NetworkLine&) = delete;
  NetworkLine& operator=(const NetworkLine&) = delete;

  void Cut() { Run("ip link set {0} down"); }
  void Mend() { Run("ip link set {0} up"); }
  // Of the namespace, for /run/netns.
  [[nodiscard]] const std::string& name() const { return name_; }
  // Our end's.
  [[nodiscard]] static std::string address() { return "10.213.77.1"; }

 private:
  // With the name for {0}.
  void Run(const char* command);

  std::string name_;
  bool works_ = true;
};

}  // namespace tally
