#include "trace_file/follow.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "os/files.h"
#include "os/path.h"
#include "rules/rule.h"
#include "trace/container.h"
#include "trace/fed_reader.h"
#include "trace_file/log_input.h"

namespace dp2trace::trace_file {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kPiece = 256 << 10;  // bytes that are read at once
constexpr size_t kAgain = 4 << 10;    // of the end of what was read: another file has others there
constexpr std::chrono::milliseconds kLook{
    20};  // between two looks at a file, which does not tell that it grew

class FollowSource final : public Source {
 public:
  enum class Kind : uint8_t { kRegular, kNamedPipe, kStream };

  FollowSource(Descriptor file, Kind kind, std::string path, const FollowOptions& options,
               DiagnosticList& findings)
      : file_(std::move(file)),
        kind_(kind),
        path_(std::move(path)),
        options_(options),
        findings_(&findings),
        reader_(findings, {options.max_memory}),
        piece_(kAgain + kPiece) {}

  bool Next(trace::EventRecord& record) override {
    while (!is_over_) {
      if (reader_.Next(record)) {
        record.number += first_number_;
        next_number_ = record.number + 1;
        return true;
      }
      if (!reader_.status().ok()) return Fail(reader_.status());
      if (is_anew_) Restart();
      if (is_closed_ || IsWhole() || !Feed()) End();
    }
    return false;
  }
  Form form() const override { return Form::kBinary; }
  std::string version() const override {
    return fmt::format("{}.{}", reader_.version().major, reader_.version().minor);
  }
  bool is_truncated() const override { return reader_.truncated(); }
  bool is_incomplete() const override {
    return !status_.ok() || was_incomplete_ || reader_.incomplete();
  }
  Status status() const override { return status_; }
  uint64_t position() const override { return reader_.position(); }
  uint64_t size() const override { return 0; }

 private:
  bool Fail(const Status& status) {
    findings_->Add(status.diagnostic());
    status_ = status;
    is_over_ = true;
    return false;
  }

  // What is left to be read is the footer.
  bool HasFooter() const {
    if (given_ - reader_.position() != trace::kFooterSize || tail_.size() != trace::kFooterSize)
      return false;
    const std::optional<trace::ChunkHeader> header = trace::ParseChunkHeader(tail_);
    return header && header->type == static_cast<uint8_t>(trace::ChunkType::kFooter);
  }
  // And no more comes at once: the trace is over.
  bool IsWhole() const { return HasFooter() && !HasMore(); }
  // More stands in the file after what was read: a trace may have been appended to this one.
  bool HasMore() const {
    if (kind_ != Kind::kRegular) return AwaitInput(file_, std::chrono::milliseconds(0));
    return LookAt(file_).size > fed_;
  }

  // Nothing follows. The rest of a chunk that was cut is delivered; the end after a whole chunk is one.
  void End() {
    if (is_over_) return;
    if (!is_closed_) TakeLine();
    is_over_ = is_closed_ || given_ == reader_.position();
    if (is_over_ && fed_ == 0 && next_number_ == 0) {
      (void)Fail(Status(
          MakeDiagnostic(Rule::kTrace002, "the file is not a dp2trace container: it is empty")));
    }
    if (!is_over_) reader_.Close();
    is_closed_ = true;
  }

  // Waits until there are more bytes; false where the trace ends.
  bool Feed() {
    const Clock::time_point start = Clock::now();
    while (true) {
      const bool is_ready = kind_ == Kind::kRegular || AwaitInput(file_, kLook);
      Bytes bytes;
      const std::error_code error = is_ready ? Read(bytes) : std::error_code();
      const bool comes_later = error == std::errc::resource_unavailable_try_again;
      if (!bytes.empty()) {
        Take(bytes);
        return true;
      }
      if (error && !comes_later) {
        return Fail(Status(MakeDiagnostic(
            Rule::kTrace001, fmt::format("cannot read {}: {}", path_, error.message()))));
      }
      const bool is_at_end = is_ready && !comes_later;
      if (is_at_end && IsOverWithoutWriter()) return false;
      if (options_.is_stopped()) return false;
      if (options_.idle && Clock::now() - start >= *options_.idle) return false;
      if (kind_ == Kind::kRegular && BeginsAnew()) return true;
      if (is_at_end) std::this_thread::sleep_for(kLook);
    }
  }

  // What follows what was read. The end of that is read again: where it differs, the file was truncated and has grown since.
  std::error_code Read(Bytes& bytes) {
    if (std::error_code error =
            last_.empty() ? std::error_code() : MoveTo(file_, fed_ - last_.size()))
      return error;
    size_t count = 0;
    const std::error_code error = ReadSome(file_, piece_, count);
    const Bytes read = Bytes(piece_).first(count);
    is_other_ = count >= last_.size() && !std::ranges::equal(read.first(last_.size()), last_);
    if (!is_other_ && count > last_.size()) bytes = read.subspan(last_.size());
    return error;
  }

  // Where the last writer is gone. One of a named pipe may be followed by another.
  bool IsOverWithoutWriter() {
    if (kind_ != Kind::kNamedPipe) return kind_ == Kind::kStream;
    if (HasFooter()) return true;
    if (!std::exchange(is_waiting_, true))
      options_.on_note(fmt::format("waiting for the next writer of {}", path_));
    return false;
  }

  // Whether the file was truncated or replaced. What is left of its last chunk comes before what is new.
  bool BeginsAnew() {
    const FileState now = LookAt(file_);
    std::string target = path_;
    const FileState named = path_ == "-" || FollowLinks(target) ? FileState() : LookAt(target);
    const bool is_replaced = named.kind == FileKind::kRegular && !named.IsSameFile(now);
    const bool is_shorter = now.kind == FileKind::kRegular && now.size < fed_;
    if (!is_replaced && !is_shorter && !is_other_) return false;
    if (is_replaced ? OpenToRead(path_, file_) : MoveTo(file_, 0)) return false;
    options_.on_note(fmt::format("{} was {}: it is read from its start", path_,
                                 is_replaced ? "replaced" : "truncated"));
    is_anew_ = true;
    if (reader_.position() != 0 && given_ != reader_.position()) reader_.Close();
    return true;
  }

  void Restart() {
    was_incomplete_ = was_incomplete_ || reader_.incomplete();
    reader_ = trace::FedReader(*findings_, {options_.max_memory});
    first_number_ = next_number_;
    fed_ = 0;
    given_ = 0;
    last_.clear();
    tail_.clear();
    is_anew_ = false;
    is_log_ = is_container_ = false;
    lines_ = LogLines();
  }

  // A container comes as it is, or in the lines of a log: which, the first of both to begin says.
  void Take(Bytes bytes) {
    fed_ += bytes.size();
    is_waiting_ = false;
    if (kind_ == Kind::kRegular && path_ != "-") AppendLast(last_, bytes, kAgain);
    is_container_ = is_container_ || (!is_log_ && HasMagic(bytes));
    if (!is_container_) lines_.Add(bytes);
    if (!is_log_ && lines_.is_log()) {
      is_log_ = true;
      reader_ = trace::FedReader(*findings_, {options_.max_memory});
      given_ = 0;
    }
    if (!is_log_) return Give(bytes);
    GiveLines();
  }

  // The last line may lack its end.
  void TakeLine() {
    if (!is_log_) return;
    lines_.Finish();
    GiveLines();
  }

  void GiveLines() {
    given_lines_ = std::exchange(lines_.bytes(), {});
    Give(given_lines_);
  }

  // After what was given before, in whose end it may begin.
  bool HasMagic(Bytes bytes) const {
    std::vector<uint8_t> text = tail_;
    text.insert(text.end(), bytes.begin(), bytes.end());
    return std::search(text.begin(), text.end(), trace::kMagic.begin(), trace::kMagic.end()) !=
           text.end();
  }

  void Give(Bytes bytes) {
    given_ += bytes.size();
    reader_.Feed(bytes);
    AppendLast(tail_, bytes, trace::kFooterSize);
  }

  // Keeps the last `size` bytes.
  static void AppendLast(std::vector<uint8_t>& kept, Bytes bytes, size_t size) {
    const Bytes last = bytes.last(std::min(bytes.size(), size));
    kept.insert(kept.end(), last.begin(), last.end());
    if (kept.size() > size) kept.erase(kept.begin(), kept.end() - static_cast<ptrdiff_t>(size));
  }

  Descriptor file_;
  Kind kind_;
  std::string path_;
  FollowOptions options_;
  DiagnosticList* findings_;
  trace::FedReader reader_;
  std::vector<uint8_t> piece_;
  std::vector<uint8_t> last_;  // the last bytes of a file that was read, at most kAgain
  bool is_other_ = false;      // the file has other bytes there now
  std::vector<uint8_t> tail_;  // the last bytes that were read, as many as a footer has
  uint64_t fed_ = 0;           // bytes of the file
  uint64_t given_ = 0;         // of these, or of what its lines hold: that the reader has
  LogLines lines_;
  std::vector<uint8_t> given_lines_;            // that the reader looks at
  bool is_log_ = false, is_container_ = false;  // neither is known yet
  uint64_t first_number_ = 0;                   // of its first event
  uint64_t next_number_ = 0;
  bool is_anew_ = false;  // another file comes after what the reader has
  bool was_incomplete_ = false;
  bool is_waiting_ = false;
  bool is_closed_ = false;
  bool is_over_ = false;
  Status status_;
};

bool HasFolder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(ToPath(FolderOf(path)), error);
}

// Waits for a file that does not exist yet; fails where it does not come, and where it cannot be opened.
std::error_code OpenWhenThere(const std::string& path, const FollowOptions& options,
                              Descriptor& file) {
  const Clock::time_point start = Clock::now();
  while (true) {
    const std::error_code error = OpenToRead(path, file);
    if (error != std::errc::no_such_file_or_directory || !HasFolder(path)) return error;
    if (options.is_stopped()) return error;
    if (options.idle && Clock::now() - start >= *options.idle) return error;
    std::this_thread::sleep_for(kLook);
  }
}

}  // namespace

bool IsAwaitable(const std::string& path) {
  std::error_code error;
  return path != "-" &&
         std::filesystem::status(ToPath(path), error).type() ==
             std::filesystem::file_type::not_found &&
         HasFolder(path);
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
  std::error_code no_matter;
  if (path != "-" && std::filesystem::is_socket(ToPath(path), no_matter)) {
    return refuse(
        fmt::format("it is a socket; try: socat -u UNIX-CONNECT:{} - | dp2trace replay - --follow",
                    path),
        true);
  }
  Descriptor file(kStandardInput);
  const std::error_code failure =
      path == "-" ? std::error_code() : OpenWhenThere(path, options, file);
  if (failure) return refuse(failure.message(), false);
  const FileKind kind = LookAt(file).kind;
  if (kind == FileKind::kFolder)
    return refuse(std::make_error_code(std::errc::is_a_directory).message(), false);
  using Kind = FollowSource::Kind;
  const bool is_named_pipe = path != "-" && std::filesystem::is_fifo(ToPath(path), no_matter);
  return std::make_unique<FollowSource>(std::move(file),
                                        kind == FileKind::kRegular ? Kind::kRegular
                                        : is_named_pipe            ? Kind::kNamedPipe
                                                                   : Kind::kStream,
                                        path, options, findings);
}

}  // namespace dp2trace::trace_file
