#include "view_server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "base/file.h"
#include "os/process.h"

namespace dp2trace::app {
namespace {

constexpr const char* kHost = "127.0.0.1";
// A page says by a request that stays open that it is there. A page that is loaded anew is gone for a moment.
constexpr std::chrono::milliseconds kBeat(500);
constexpr int kBeatsUntilEnd = 6;
// A browser keeps six connections, and one for each page; each takes a thread as long as it is open.
constexpr size_t kThreads = 64;
constexpr size_t kRequestsOfConnection = 1000000;
constexpr size_t kMaxQuestion = size_t{64} << 20;  // bytes: changes, with pictures

void SetPolicy(httplib::Response& response) {
  response.set_header("Cache-Control", "no-store");
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("Referrer-Policy", "no-referrer");
  response.set_header("Cross-Origin-Resource-Policy", "same-origin");
  response.set_header("X-Frame-Options", "DENY");
}

// A provider of known length is sent as it is: the library would compress a text, which takes longer than loopback.
void SetContent(std::string text, const char* type, httplib::Response& response) {
  const size_t size = text.size();
  response.set_content_provider(
      size, type, [kept = std::move(text)](size_t at, size_t count, httplib::DataSink& sink) {
        return sink.write(kept.data() + at, count);
      });
}

// ".json" of "trace.json": the name that the file has on a disk here is ours. Empty: it has none, or no ordinary one.
std::string ExtensionOf(const std::string& name) {
  constexpr size_t kLongest = 8;
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos || name.size() - dot > kLongest) return {};
  const std::string extension = name.substr(dot);
  return std::all_of(extension.begin() + 1, extension.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0; })
             ? extension
             : std::string();
}

}  // namespace

struct ViewServer::State {
  ViewContent content;
  httplib::Server server;
  std::string token = RandomDigits() + RandomDigits();
  int port = 0;
  std::mutex asking;
  std::atomic<int> pages = 0;  // that are open
  std::atomic<bool> was_open = false;
  std::atomic<uint64_t> cancelled = 0;

  // Names that other sites may make a browser believe to be this machine's are refused.
  bool IsMeant(const httplib::Request& request) const {
    return request.get_header_value("Host") == fmt::format("{}:{}", kHost, port);
  }

  static void Answer(Result<std::string> value, httplib::Response& response) {
    response.status = value.ok() ? 200 : 404;
    if (value.ok()) {
      SetContent(std::move(*value), "application/json", response);
    } else {
      SetContent(value.status().diagnostic().message, "text/plain; charset=utf-8", response);
    }
  }

  void Ask(const std::string& name, httplib::Response& response) {
    const uint64_t before = cancelled;
    const std::lock_guard lock(asking);
    // Who was waiting when somebody cancelled waits no longer.
    Answer(before == cancelled ? content.ask(name) : Failure(kCannotRead, "it was cancelled"),
           response);
  }

  void Cancel() {
    ++cancelled;
    content.cancel();
  }

  // A file of any size: it is written as it comes.
  void Put(const std::string& name, const httplib::ContentReader& reader,
           httplib::Response& response) {
    const std::lock_guard lock(asking);
    const std::string path = content.folder + "/beside" + ExtensionOf(name);
    Result<OutputFile> file = OutputFile::Create(path);
    if (!file.ok()) return Answer(file.status(), response);
    Status written;
    const bool is_whole = reader([&](const char* data, size_t size) {
      written = file->Write(std::string_view(data, size));
      return written.ok();
    });
    if (written.ok() && is_whole) written = file->Commit(Sync::kNone);
    if (!written.ok()) return Answer(written, response);
    // Who sends half of a file does not read the answer.
    if (is_whole) Answer(content.put(name, path), response);
  }

  void StayOpen(httplib::Response& response) {
    ++pages;
    was_open = true;
    response.set_chunked_content_provider(
        "application/octet-stream",  // not compressed: nothing would go out
        [](size_t, httplib::DataSink& sink) {
          std::this_thread::sleep_for(kBeat);
          return sink.write("\n", 1);
        },
        [this](bool) { --pages; });
  }
};

ViewServer::ViewServer(ViewContent content) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.content = std::move(content);
  state.server.set_tcp_nodelay(true);  // answers are short
  // By default a port could be shared with a program that has it already.
  state.server.set_socket_options([](auto) {});
  state.server.set_keep_alive_max_count(kRequestsOfConnection);
  state.server.new_task_queue = [] {
    return new httplib::ThreadPool(kThreads);
  };  // NOLINT(*-owning-memory): the library's way
  state.server.set_pre_routing_handler(
      [&state](const httplib::Request& request, httplib::Response& response) {
        SetPolicy(response);
        if (state.IsMeant(request)) return httplib::Server::HandlerResponse::Unhandled;
        response.status = 403;
        return httplib::Server::HandlerResponse::Handled;
      });
  const std::string root = "/" + state.token;
  state.server.Get(root + "/", [&state](const httplib::Request&, httplib::Response& response) {
    SetContent(state.content.page, "text/html; charset=utf-8", response);
  });
  state.server.Get(root + "/alive", [&state](const httplib::Request&, httplib::Response& response) {
    state.StayOpen(response);
  });
  state.server.Get(root + "/data/(.+)",
                   [&state](const httplib::Request& request, httplib::Response& response) {
                     state.Ask(request.matches[1], response);
                   });
  state.server.Get(root + "/progress",
                   [&state](const httplib::Request&, httplib::Response& response) {
                     SetContent(state.content.progress(), "application/json", response);
                   });
  state.server.Post(root + "/cancel",
                    [&state](const httplib::Request&, httplib::Response&) { state.Cancel(); });
  // A question that is too long for an address.
  state.server.Post(
      root + "/data", [&state](const httplib::Request& request, httplib::Response& response,
                               const httplib::ContentReader& reader) {
        std::string name;
        const bool is_whole =
            !request.is_multipart_form_data() && reader([&name](const char* data, size_t size) {
              name.append(data, size);
              return name.size() <= kMaxQuestion;
            });
        if (!is_whole) {
          response.status = 413;
          return;
        }
        state.Ask(name, response);
      });
  state.server.Post(root + "/beside/([^/]+)",
                    [&state](const httplib::Request& request, httplib::Response& response,
                             const httplib::ContentReader& reader) {
                      if (request.is_multipart_form_data()) {
                        response.status = 415;
                        return;
                      }
                      state.Put(request.matches[1], reader, response);
                    });
}

ViewServer::~ViewServer() = default;

bool ViewServer::Bind(uint16_t port) {
  state_->port = port != 0 ? (state_->server.bind_to_port(kHost, port) ? port : -1)
                           : state_->server.bind_to_any_port(kHost);
  return state_->port > 0;
}

std::string ViewServer::address() const {
  return fmt::format("http://{}:{}/{}/", kHost, state_->port, state_->token);
}

void ViewServer::Serve() {
  State& state = *state_;
  std::jthread watch([&state](const std::stop_token& stop) {
    for (int beats = 0; beats < kBeatsUntilEnd && !stop.stop_requested();) {
      std::this_thread::sleep_for(kBeat);
      beats = state.was_open && state.pages == 0 ? beats + 1 : 0;
    }
    state.server.stop();
  });
  state.server.listen_after_bind();
}

}  // namespace dp2trace::app
