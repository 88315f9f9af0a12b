// The server of `view`: one page and its data, for one browser on this machine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace dp2trace::app {

struct ViewContent {
  std::string page;  // HTML
  // The JSON value of a name; called by one thread at a time, and so is `put`.
  std::function<Result<std::string>(std::string_view name)> ask;
  // What is posted goes to a file in this folder, which `put` is told of with the name that it has in the browser.
  std::string folder = {};
  std::function<Result<std::string>(const std::string& name, const std::string& path)> put = {};
  // By any thread meanwhile: how far the work on the question is, as JSON; and its end.
  std::function<std::string()> progress = {};
  std::function<void()> cancel = {};
};

// Listens on loopback alone. Whoever does not know the token of the address, or comes by another name of this machine, gets nothing.
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
