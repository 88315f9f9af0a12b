#include "trace_file/follow.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "rules/rule.h"
#include "trace/container.h"
#include "trace/fed_reader.h"

namespace dp2trace::trace_file {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kPiece = 256 << 10;  // bytes that are read at once
constexpr std::chrono::milliseconds kLook{
    20};  // between two looks at a file, which does not tell that it grew

// An open file. Standard input is not closed.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ > STDIN_FILENO) (void)close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

class FollowSource final : public Source {
 public:
  FollowSource(int descriptor, bool is_regular, std::string path, const FollowOptions& options,
               DiagnosticList& findings)
      : file_(descriptor),
        is_regular_(is_regular),
        path_(std::move(path)),
        options_(options),
        findings_(&findings),
        reader_(findings, {options.max_memory}),
        piece_(kPiece) {}

  bool Next(trace::EventRecord& record) override {
    while (!is_over_) {
      if (reader_.Next(record)) return true;
      if (!reader_.status().ok()) return Fail(reader_.status());
      if (is_closed_ || IsWhole() || !Feed()) End();
    }
    return false;
  }
  Form form() const override { return Form::kBinary; }
  std::string version() const override {
    return fmt::format("{}.{}", reader_.version().major, reader_.version().minor);
  }
  bool is_truncated() const override { return reader_.truncated(); }
  bool is_incomplete() const override { return has_failed_ || reader_.incomplete(); }
  uint64_t position() const override { return reader_.position(); }
  uint64_t size() const override { return 0; }

 private:
  bool Fail(const Status& status) {
    findings_->Add(status.diagnostic());
    has_failed_ = is_over_ = true;
    return false;
  }

  // What is left to be read is the footer, and no more of it comes at once: the trace is over.
  bool IsWhole() {
    if (fed_ - reader_.position() != trace::kFooterSize || tail_.size() != trace::kFooterSize)
      return false;
    const std::optional<trace::ChunkHeader> header = trace::ParseChunkHeader(tail_);
    return header && header->type == static_cast<uint8_t>(trace::ChunkType::kFooter) && !HasMore();
  }
  // More stands in the file behind what was read: a trace may have been appended to this one.
  bool HasMore() const {
    if (!is_regular_) return Wait(std::chrono::milliseconds(0));
    struct stat info = {};
    return fstat(file_.number(), &info) == 0 && static_cast<uint64_t>(info.st_size) > fed_;
  }

  // Nothing follows. The rest of a chunk that was cut is delivered; the end behind a whole chunk is one.
  void End() {
    if (is_over_) return;
    is_over_ = is_closed_ || fed_ == reader_.position();
    if (is_over_ && fed_ == 0) {
      (void)Fail(Status(
          MakeDiagnostic(Rule::kTrace002, "the file is not a dp2trace container: it is empty")));
    }
    if (!is_over_) reader_.Close();
    is_closed_ = true;
  }

  bool Wait(std::chrono::milliseconds time) const {
    pollfd wanted = {.fd = file_.number(), .events = POLLIN, .revents = 0};
    return poll(&wanted, 1, static_cast<int>(time.count())) > 0;
  }

  // Waits until there are more bytes; false where the trace ends.
  bool Feed() {
    const Clock::time_point start = Clock::now();
    while (true) {
      const bool is_ready = is_regular_ || Wait(kLook);
      const ssize_t count = is_ready ? read(file_.number(), piece_.data(), piece_.size()) : 0;
      if (count > 0) {
        Take(Bytes(piece_).first(static_cast<size_t>(count)));
        return true;
      }
      if (count < 0 && errno != EINTR && errno != EAGAIN) {
        return Fail(Status(MakeDiagnostic(
            Rule::kTrace001, fmt::format("cannot read {}: {}", path_, std::strerror(errno)))));
      }
      if (is_ready && count == 0 && !is_regular_) return false;  // the last writer is gone
      if (options_.is_stopped()) return false;
      if (options_.idle && Clock::now() - start >= *options_.idle) return false;
      if (is_regular_ && HasShrunk()) return false;
      if (is_regular_) std::this_thread::sleep_for(kLook);
    }
  }

  bool HasShrunk() {
    struct stat info = {};
    if (fstat(file_.number(), &info) != 0 || static_cast<uint64_t>(info.st_size) >= fed_)
      return false;
    (void)Fail(Status(MakeDiagnostic(
        Rule::kTrace001, fmt::format("cannot go on reading {}: it became shorter", path_))));
    return true;
  }

  void Take(Bytes bytes) {
    fed_ += bytes.size();
    reader_.Feed(bytes);
    const Bytes last = bytes.last(std::min<size_t>(bytes.size(), trace::kFooterSize));
    tail_.insert(tail_.end(), last.begin(), last.end());
    if (tail_.size() > trace::kFooterSize)
      tail_.erase(tail_.begin(), tail_.end() - static_cast<ptrdiff_t>(trace::kFooterSize));
  }

  Descriptor file_;
  bool is_regular_;
  std::string path_;
  FollowOptions options_;
  DiagnosticList* findings_;
  trace::FedReader reader_;
  std::vector<uint8_t> piece_;
  std::vector<uint8_t> tail_;  // the last bytes that were read, as many as a footer has
  uint64_t fed_ = 0;
  bool is_closed_ = false;
  bool is_over_ = false;
  bool has_failed_ = false;
};

bool HasFolder(const std::string& path) {
  struct stat info = {};
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  return stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

// Waits for a file that does not exist yet; -1, and `errno` set, where it does not come, and where it cannot be opened.
int OpenWhenThere(const std::string& path, const FollowOptions& options) {
  const Clock::time_point start = Clock::now();
  while (true) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0 || errno != ENOENT || !HasFolder(path)) return descriptor;
    if (options.is_stopped()) return descriptor;
    if (options.idle && Clock::now() - start >= *options.idle) return descriptor;
    std::this_thread::sleep_for(kLook);
  }
}

}  // namespace

bool IsAwaitable(const std::string& path) {
  struct stat info = {};
  return path != "-" && stat(path.c_str(), &info) != 0 && errno == ENOENT && HasFolder(path);
}

std::unique_ptr<Source> Follow(const std::string& path, const FollowOptions& options,
                               DiagnosticList& findings, OpenError& error) {
  const auto refuse = [&](std::string_view why, bool is_usage) {
    error.status =
        Status(MakeDiagnostic(Rule::kTrace001, fmt::format("cannot follow {}: {}", path, why)));
    error.is_usage = is_usage;
    return nullptr;
  };
  if (FormOfPath(path) == Form::kJson)
    return refuse("recorders append to containers (.dp2t), not to JSON", true);
  const int descriptor = path == "-" ? STDIN_FILENO : OpenWhenThere(path, options);
  struct stat info = {};
  if (descriptor < 0 || fstat(descriptor, &info) != 0) return refuse(std::strerror(errno), false);
  if (S_ISDIR(info.st_mode)) {
    (void)close(descriptor);
    return refuse(std::strerror(EISDIR), false);
  }
  return std::make_unique<FollowSource>(descriptor, S_ISREG(info.st_mode), path, options, findings);
}

}  // namespace dp2trace::trace_file
