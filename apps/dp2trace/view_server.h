// The server of `view`: pages and their data, for browsers on this machine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace dp2trace::app {

// What a page asks.
struct ViewSession {
  // The JSON value of a name; called by one thread at a time, and so is `put`.
  std::function<Result<std::string>(std::string_view name)> ask;
  // A file that was posted, with the name that it has in the browser.
  std::function<Result<std::string>(const std::string& name, const std::string& path)> put;
  // By any thread meanwhile: how far the work on the question is, as JSON; and its end.
  std::function<std::string()> progress;
  std::function<void()> cancel;
};

struct ViewContent {
  std::string page;    // HTML
  std::string folder;  // for what is posted
  // Of a page that comes; by one thread at a time. It ends with the page, and so do files of the folder with the page in their name.
  std::function<Result<ViewSession>(const std::string& page)> open;
};

// Listens only on loopback. Whoever does not know the token of the address, or comes by another name of this machine, gets nothing.
class ViewServer {
 public:
  explicit ViewServer(ViewContent content);
  ~ViewServer();
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  // Takes a port (0: any that is free), and waits in it for who comes; false where it cannot be had.
  bool Bind(uint16_t port);
  // "http://127.0.0.1:40123/1a2b.../", after Bind().
  std::string address() const;
  // Serves until the last page that was open is closed.
  void Serve();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dp2trace::app
