// A headless Chromium, told what to do over a pipe (the DevTools protocol): opens a page as a phone or a desk would show
// it, asks its DOM, and takes pictures. One browser is one process group that ends with the object. A command that gets
// no answer for half a minute is an exception.
#pragma once

#include <sys/types.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/fd.h"

namespace tally {

struct Screen {
  int width = 1200;
  int height = 900;
  bool dark = false;
  bool phone = false;  // touch, and the pixels of a phone
};

class Browser {
 public:
  // Where Chromium is; "" where it is not.
  static std::string Executable();

  Browser();
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // Opens the file and waits until `ready`, a JavaScript expression, is true.
  void Open(const std::string& path, const Screen& screen, const std::string& ready);
  nlohmann::json Ask(const std::string& expression);
  // Of the element that `selector` finds, however long; "": of what the screen shows.
  void Picture(const std::string& path, const std::string& selector = "");
  void Pdf(const std::string& path);
  // From now on the page is styled as for printing and as wide as the paper, in CSS pixels; as in printing it hears of the one before the other.
  void StyleForPaper(int width);
  // From now on its window is as wide.
  void Resize(const Screen& screen);
  void Press(const std::string& key);  // "Tab", "ArrowRight"
  // What the page asked for since it was opened, but for itself and what it carries; and what it complained about.
  [[nodiscard]] const std::vector<std::string>& loads() const { return loads_; }
  [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }

 private:
  nlohmann::json Call(const std::string& method, nlohmann::json parameters = nlohmann::json::object());
  nlohmann::json Next();
  void Heard(const nlohmann::json& event);
  // Until two frames are drawn: animations by scrolls and observers of sizes follow the layout.
  void AwaitFrames();

  pid_t process_ = -1;
  Fd in_, out_;
  std::string buffer_, session_, folder_;
  int last_ = 0;
  std::vector<std::string> loads_, complaints_;
};

}  // namespace tally
