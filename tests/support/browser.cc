#include "tests/support/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace tally {
namespace {

using nlohmann::json;

constexpr int kPatienceMs = 30'000;

std::string DecodeBase64(std::string_view text) {
  std::string out;
  unsigned pending = 0, bits = 0;
  for (const char c : text) {
    const std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) break;
    pending = (pending << 6 | static_cast<unsigned>(digit)) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(pending >> bits & 0xff);
  }
  return out;
}

void Save(const std::string& path, const json& answer) {
  std::ofstream(path, std::ios::binary) << DecodeBase64(answer.at("data").get_ref<const std::string&>());
}

}  // namespace

std::string Browser::Executable() {
  for (const char* path : {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"}) {
    if (std::filesystem::exists(path)) return path;
  }
  return "";
}

Browser::Browser() {
  folder_ = std::filesystem::temp_directory_path() / "tally-browser-XXXXXX";
  if (::mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("mkdtemp " + folder_);
  int to[2], from[2];
  if (::pipe2(to, O_CLOEXEC) != 0 || ::pipe2(from, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
  in_ = Fd(from[0]);
  out_ = Fd(to[1]);
  const Fd read(to[0]), write(from[1]);
  const std::string profile = "--user-data-dir=" + folder_, program = Executable();
  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error("fork");
  if (process_ == 0) {
    ::setpgid(0, 0);
    // The protocol's descriptors are 3 and 4, and ours may be these already.
    const int in = ::fcntl(read.get(), F_DUPFD, 10), out = ::fcntl(write.get(), F_DUPFD, 10);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int fd : {0, 1, 2}) ::dup2(nothing, fd);
    ::dup2(in, 3);
    ::dup2(out, 4);
    for (const int fd : {in, out}) ::close(fd);
    ::execl(program.c_str(), program.c_str(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe", profile.c_str(), "about:blank",
            static_cast<char*>(nullptr));
    ::_exit(127);
  }
  const std::string target = Call("Target.createTarget", {{"url", "about:blank"}}).at("targetId");
  session_ = Call("Target.attachToTarget", {{"targetId", target}, {"flatten", true}}).at("sessionId");
  for (const char* domain : {"Page.enable", "Network.enable", "Log.enable", "Runtime.enable"}) Call(domain);
}

Browser::~Browser() {
  if (process_ > 0) {
    ::kill(-process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
}

json Browser::Next() {
  for (;;) {
    const std::size_t end = buffer_.find('\0');
    if (end != std::string::npos) {
      json message = json::parse(buffer_.substr(0, end));
      buffer_.erase(0, end + 1);
      return message;
    }
    pollfd ready{in_.get(), POLLIN, 0};
    if (::poll(&ready, 1, kPatienceMs) <= 0) throw std::runtime_error("Chromium does not answer");
    char bytes[65536];
    const ssize_t got = ::read(in_.get(), bytes, sizeof bytes);
    if (got <= 0) throw std::runtime_error("Chromium has ended");
    buffer_.append(bytes, static_cast<std::size_t>(got));
  }
}

void Browser::Heard(const json& event) {
  const std::string method = event.value("method", "");
  if (method == "Network.requestWillBeSent") {
    const std::string url = event["params"]["request"]["url"];
    const bool page = event["params"].value("type", "") == "Document" && url.rfind("file://", 0) == 0;
    if (!page && url.rfind("data:", 0) != 0 && url != "about:blank") loads_.push_back(url);
  } else if (method == "Log.entryAdded") {
    complaints_.push_back(event["params"]["entry"]["text"]);
  } else if (method == "Runtime.exceptionThrown") {
    complaints_.push_back(event["params"]["exceptionDetails"].dump());
  }
}

json Browser::Call(const std::string& method, json parameters) {
  const int id = ++last_;
  json message{{"id", id}, {"method", method}, {"params", std::move(parameters)}};
  if (!session_.empty()) message["sessionId"] = session_;
  std::string text = message.dump();
  text += '\0';
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t sent = ::write(out_.get(), rest.data(), rest.size());
    if (sent < 0 && errno != EINTR) throw std::runtime_error("Chromium does not listen");
    if (sent > 0) rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  for (;;) {
    const json answer = Next();
    if (answer.value("id", 0) != id) {
      Heard(answer);
      continue;
    }
    if (answer.contains("error")) throw std::runtime_error(method + ": " + answer["error"].dump());
    return answer.at("result");
  }
}

void Browser::Open(const std::string& path, const Screen& screen, const std::string& ready) {
  Resize(screen);
  Call("Emulation.setTouchEmulationEnabled", {{"enabled", screen.phone}});
  const json scheme{{"name", "prefers-color-scheme"}, {"value", screen.dark ? "dark" : "light"}};
  Call("Emulation.setEmulatedMedia", {{"media", ""}, {"features", json::array({scheme})}});
  loads_.clear();
  complaints_.clear();
  Call("Page.navigate", {{"url", "file://" + std::filesystem::absolute(path).string()}});
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatienceMs);
  while (Ask(ready) != true) {
    if (std::chrono::steady_clock::now() > until) throw std::runtime_error("the page is never ready");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  AwaitFrames();
}

json Browser::Ask(const std::string& expression) {
  const json answer = Call("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}, {"awaitPromise", true}});
  if (answer.contains("exceptionDetails")) throw std::runtime_error(answer["exceptionDetails"].dump());
  return answer["result"].value("value", json());
}

void Browser::Picture(const std::string& path, const std::string& selector) {
  json parameters{{"format", "png"}, {"captureBeyondViewport", true}};
  if (!selector.empty()) {
    const json box = Ask("(() => { const b = document.querySelector(" + json(selector).dump() +
                         ").getBoundingClientRect(); return [b.x + scrollX, b.y + scrollY, b.width, b.height]; })()");
    parameters["clip"] = {{"x", box[0]}, {"y", box[1]}, {"width", box[2]}, {"height", box[3]}, {"scale", 1}};
  }
  Save(path, Call("Page.captureScreenshot", std::move(parameters)));
}

void Browser::Pdf(const std::string& path) { Save(path, Call("Page.printToPDF", {{"printBackground", false}})); }

void Browser::StyleForPaper(int width) {
  Call("Emulation.setEmulatedMedia", {{"media", "print"}});
  AwaitFrames();
  Resize({width, width * 297 / 210});
  AwaitFrames();
}

void Browser::AwaitFrames() { Ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"); }

void Browser::Resize(const Screen& screen) {
  Call("Emulation.setDeviceMetricsOverride", {{"width", screen.width},
                                              {"height", screen.height},
                                              {"deviceScaleFactor", screen.phone ? 2 : 1},
                                              {"mobile", screen.phone}});
}

void Browser::Press(const std::string& key) {
  const bool character = key.size() == 1;
  json parameters{{"type", "keyDown"}, {"key", key}};
  if (character) parameters["text"] = key;
  if (key == "Tab") parameters["windowsVirtualKeyCode"] = 9;
  if (key == "ArrowRight") parameters["windowsVirtualKeyCode"] = 39;
  if (key == "Enter") parameters.update({{"windowsVirtualKeyCode", 13}, {"text", "\r"}});
  Call("Input.dispatchKeyEvent", parameters);
  parameters["type"] = "keyUp";
  parameters.erase("text");
  Call("Input.dispatchKeyEvent", parameters);
}

}  // namespace tally
