#include "view_server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <concepts>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "base/file.h"
#include "live/loader.h"
#include "os/path.h"
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
// Each page has a session of its own, which keeps frames.
constexpr size_t kMaxPages = 8;
constexpr const char* kPageNumber = "([0-9a-f]{16})";  // which a page makes up when it is loaded

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

// What a page had written.
void RemoveFilesOf(const std::string& folder, const std::string& page) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (fs::directory_iterator file(ToPath(folder), error), end; !error && file != end;
       file.increment(error)) {
    std::error_code ignored;  // the folder goes with the program
    if (ToText(file->path().filename()).find(page) != std::string::npos)
      fs::remove(file->path(), ignored);
  }
}

}  // namespace

struct ViewServer::State {
  struct Page {
    Page(std::string name, std::string files) : number(std::move(name)), folder(std::move(files)) {}
    ~Page() { RemoveFilesOf(folder, number); }
    Page(const Page&) = delete;
    Page& operator=(const Page&) = delete;

    std::string number, folder;
    ViewSession session;
    std::atomic<bool> is_open = false;  // it has said that it is there
    std::atomic<uint64_t> cancelled = 0;
  };

  ViewContent content;
  httplib::Server server;
  std::string token = RandomDigits() + RandomDigits();
  int port = 0;
  std::mutex asking;
  std::mutex finding;  // for `pages`
  std::map<std::string, std::shared_ptr<Page>> pages;
  std::atomic<bool> was_open = false;

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

  bool HasOpenPage() {
    const std::lock_guard lock(finding);
    return std::ranges::any_of(pages, [](const auto& page) { return page.second->is_open.load(); });
  }

  // A page that has not come before gets a session. Null after an answer that says why there is none.
  std::shared_ptr<Page> FindPage(const std::string& number, httplib::Response& response) {
    const std::lock_guard lock(finding);
    const auto known = pages.find(number);
    if (known != pages.end()) return known->second;
    // Who asks without staying has no claim to a session.
    if (pages.size() == kMaxPages)
      std::erase_if(pages, [](const auto& page) { return !page.second->is_open; });
    Result<ViewSession> session =
        pages.size() < kMaxPages
            ? content.open(number)
            : Failure(kCannotRead,
                      fmt::format("{} pages show this trace; close one of them first", kMaxPages));
    if (!session.ok()) {
      Answer(session.status(), response);
      return nullptr;
    }
    const auto page = std::make_shared<Page>(number, content.folder);
    page->session = std::move(*session);
    return pages.emplace(number, page).first->second;
  }

  void Ask(Page& page, const std::string& name, httplib::Response& response) {
    const uint64_t before = page.cancelled;
    const std::lock_guard lock(asking);
    // Who was waiting when somebody cancelled waits no longer.
    Answer(before == page.cancelled ? page.session.ask(name)
                                    : Failure(kCannotRead, "it was cancelled"),
           response);
  }

  static void Cancel(Page& page) {
    ++page.cancelled;
    page.session.cancel();
  }

  // A file of any size: it is written as it comes.
  void Put(Page& page, const std::string& name, const httplib::ContentReader& reader,
           httplib::Response& response) {
    const std::lock_guard lock(asking);
    const std::string path = content.folder + "/beside-" + page.number + live::ExtensionOf(name);
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
    if (is_whole) Answer(page.session.put(name, path), response);
  }

  void StayOpen(const std::shared_ptr<Page>& page, httplib::Response& response) {
    was_open = page->is_open = true;
    response.set_chunked_content_provider(
        "application/octet-stream",  // not compressed: nothing would go out
        [](size_t, httplib::DataSink& sink) {
          std::this_thread::sleep_for(kBeat);
          return sink.write("\n", 1);
        },
        [this, page](bool) {
          // Nobody waits for the answers any more.
          Cancel(*page);
          const std::lock_guard lock(finding);
          pages.erase(page->number);
        });
  }

  // What a page asks, at an address below its own one.
  template <class Handle>
  auto OfPage(Handle handle) {
    return [ this, handle ](const httplib::Request& request, httplib::Response& response,
                            const auto&... body) -> void requires std::invocable < const Handle&,
           const std::shared_ptr<Page>
    &, const httplib::Request&, httplib::Response&, decltype(body)... > {
      if (const std::shared_ptr<Page> page = FindPage(request.matches[1], response))
        handle(page, request, response, body...);
    };
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
  using httplib::ContentReader, httplib::Request, httplib::Response;
  using PagePtr = std::shared_ptr<State::Page>;
  const std::string own = root + "/pages/" + kPageNumber;
  state.server.Get(own + "/alive",
                   state.OfPage([&state](const PagePtr& page, const Request&, Response& response) {
                     state.StayOpen(page, response);
                   }));
  state.server.Get(
      own + R"(/data/([\s\S]+))",  // lines of `edit`, too
      state.OfPage([&state](const PagePtr& page, const Request& request, Response& response) {
        state.Ask(*page, request.matches[2], response);
      }));
  state.server.Get(own + "/progress",
                   state.OfPage([](const PagePtr& page, const Request&, Response& response) {
                     SetContent(page->session.progress(), "application/json", response);
                   }));
  state.server.Post(own + "/cancel", state.OfPage([](const PagePtr& page, const Request&,
                                                     Response&) { State::Cancel(*page); }));
  // A question that is too long for an address.
  state.server.Post(
      own + "/data", state.OfPage([&state](const PagePtr& page, const Request& request,
                                           Response& response, const ContentReader& reader) {
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
        state.Ask(*page, name, response);
      }));
  state.server.Post(own + "/beside/([^/]+)",
                    state.OfPage([&state](const PagePtr& page, const Request& request,
                                          Response& response, const ContentReader& reader) {
                      if (request.is_multipart_form_data()) {
                        response.status = 415;
                        return;
                      }
                      state.Put(*page, request.matches[2], reader, response);
                    }));
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
      beats = state.was_open && !state.HasOpenPage() ? beats + 1 : 0;
    }
    state.server.stop();
  });
  state.server.listen_after_bind();
}

}  // namespace dp2trace::app
