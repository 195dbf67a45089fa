// Environ: the key/value object of a job, as JSON. Typed reading with errors that name the key, the value and
// what was expected; keys that a job does not know are kept, because contest systems expect them back.
// Keys, units and defaults: docs/jobs.md.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "jobs/worker_bounds.h"
#include "supervisor/api/run_result.h"

namespace tally {

// What a job may do, and where its names of files may lead. Not in the object: who runs the job decides, not who sends it.
struct JobRules {
  bool plain_paths = true;     // names may be paths of this machine
  std::string private_store;   // looked into before the store; "": none
  bool private_out = false;    // what the job makes goes there
  std::optional<std::string> user;  // whose part of the store comes before the rest, and gets what the job makes (user_store.h)
  WorkerBounds bounds;
};

class Environ {
 public:
  Environ();
  // Parses an object. UserError names `source` and the place of a syntax error.
  static Environ Parse(std::string_view text, const std::string& source);
  ~Environ();
  Environ(Environ&&) noexcept;
  Environ& operator=(Environ&&) noexcept;

  [[nodiscard]] bool Has(std::string_view key) const;  // present and not null
  [[nodiscard]] std::string Text(std::string_view key) const;  // UserError when absent
  [[nodiscard]] std::optional<std::string> OptionalText(std::string_view key) const;
  [[nodiscard]] std::string TextOr(std::string_view key, std::string_view fallback) const;
  [[nodiscard]] bool BoolOr(std::string_view key, bool fallback) const;
  // Non-negative whole numbers; JSON numbers or their text ("1000"), as contest systems send both.
  [[nodiscard]] std::optional<std::uint64_t> Count(std::string_view key, std::string_view unit) const;
  // The first of several names for one thing that is present: old and new generations differ.
  [[nodiscard]] std::optional<std::uint64_t> FirstCount(std::initializer_list<std::string_view> keys,
                                                        std::string_view unit) const;
  // A list of texts, or one text; empty when absent.
  [[nodiscard]] std::vector<std::string> TextList(std::string_view key) const;
  // The same, or an object of such lists by language code, of which `language` is taken: SIO's third form.
  [[nodiscard]] std::vector<std::string> TextListFor(std::string_view key, std::string_view language) const;
  // An object of texts, in order of keys; empty when absent.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> TextMap(std::string_view key) const;

  void Set(std::string_view key, std::string_view value);
  void Set(std::string_view key, const char* value) { Set(key, std::string_view(value)); }
  void Set(std::string_view key, std::uint64_t value);
  void Set(std::string_view key, bool value);
  void Set(std::string_view key, double value);
  void SetMap(std::string_view key, const std::vector<std::pair<std::string, std::string>>& entries);
  void SetList(std::string_view key, const std::vector<std::string>& texts);
  void SetFraction(std::string_view key, std::int64_t numerator, std::int64_t denominator);  // [num, den], as SIO has it
  void Remove(std::string_view key);
  // KEY=VALUE as typed on a command line: VALUE is JSON when it parses as such, else text. KEY comes back.
  std::string SetFromCommandLine(std::string_view assignment);

  [[nodiscard]] std::string Dump() const;  // indented, with a newline at the end
  [[nodiscard]] const JobRules& rules() const { return rules_; }
  void set_rules(JobRules rules) { rules_ = std::move(rules); }

  [[nodiscard]] const nlohmann::json& object() const { return *object_; }
  [[nodiscard]] nlohmann::json& object() { return *object_; }

 private:
  [[nodiscard]] const nlohmann::json* Find(std::string_view key) const;
  std::unique_ptr<nlohmann::json> object_;
  JobRules rules_;
};

}  // namespace tally
