// Failures of a broker, in kinds. It is not there, or not any more: BrokerGone, and trying again may help. It is there and says no (the queue's
// arguments): UserError; to the user, the password or the virtual host: LoginRefused, which its operator may yet mend. It speaks no AMQP
// 0-9-1: UserError, too.
#pragma once

#include <stdexcept>
#include <string>

#include "base/error.h"
#include "dispatcher/amqp_library.h"

namespace tally {

class BrokerGone : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// It ends the connection over something that it does not have, or for a reason of its own.
class BrokerComplained : public BrokerGone {
 public:
  using BrokerGone::BrokerGone;
};

class LoginRefused : public UserError {
 public:
  using UserError::UserError;
};

// What the broker says as it closes a channel or the connection.
struct BrokerComplaint {
  int code = 0;
  std::string text;

  // Whether it would say the same again to whoever asks the same.
  [[nodiscard]] bool IsRefusal() const;
};

BrokerComplaint ComplaintIn(const amqp_method_t& method);

// Throws when a call with a reply failed; `what` it was for: "declare queue eva.v1.request".
void CheckReply(const amqp_rpc_reply_t& reply, const std::string& what);
// The same for calls that only say a status.
void CheckStatus(int status, const std::string& what);
[[noreturn]] void ThrowComplaint(const BrokerComplaint& complaint, const std::string& what);

}  // namespace tally
