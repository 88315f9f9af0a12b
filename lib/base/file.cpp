#include "base/file.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <utility>

#include "base/hash.h"
#include "base/output_limit.h"
#include "base/plain_text.h"
#include "base/temporaries.h"
#include "os/console.h"
#include "os/path.h"

namespace dp2trace {
namespace {

constexpr size_t kBufferSize = 64 << 10;

Status ReadError(const std::string& path, const std::error_code& error) {
  return Failure(kCannotRead, fmt::format("cannot read {}: {}", path, error.message()));
}

Status StatusOf(const std::string& path, const std::error_code& error) {
  return error ? CannotWrite(path, error.message()) : OkStatus();
}

// Bytes that wait, and those that do not fit.
std::error_code WriteBuffered(const Descriptor& file, std::vector<uint8_t>& buffer, Bytes bytes) {
  if (buffer.size() + bytes.size() > kBufferSize) {
    const std::error_code error = WriteFully(file, buffer);
    buffer.clear();
    if (error) return error;
  }
  if (bytes.size() >= kBufferSize) return WriteFully(file, bytes);
  buffer.insert(buffer.end(), bytes.begin(), bytes.end());
  return {};
}

struct StandardStreams {
  Descriptor input{kStandardInput}, output{kStandardOutput};
  std::mutex mutex;             // of what follows
  std::vector<uint8_t> buffer;  // of the output
  bool is_terminal = IsTerminal(Stream::kOutput);
};

// Never destroyed: threads may outlive main().
StandardStreams& Streams() {
  static auto* const streams = [] {
    // What ends early has said its last word.
    (void)std::atexit([] { (void)FlushStandardOutput(); });
    return new StandardStreams;
  }();
  return *streams;
}

Status OutputError(const std::error_code& error) {
  return StatusOf("standard output", error);
}

// Regular files are replaced as a whole; what else is there is written into.
bool IsReplaced(const FileState& state) {
  return state.kind == FileKind::kMissing || state.kind == FileKind::kRegular;
}

// Best effort: there is nothing to report.
void Remove(const std::string& path) {
  std::error_code error;
  std::filesystem::remove(ToPath(path), error);
}

constexpr std::string_view kChanged =
    "it was changed after it was read, and stays as it is; run the command again";

}  // namespace

Status CannotWrite(const std::string& path, std::string_view reason) {
  return Failure(kCannotWrite, fmt::format("cannot write {}: {}", path, reason));
}

Result<InputFile> InputFile::Open(const std::string& path) {
  InputFile input;
  input.path_ = path;
  if (path == "-") {
    input.file_ = Descriptor(kStandardInput);
    return input;
  }
  if (const std::error_code error = OpenToRead(path, input.file_)) return ReadError(path, error);
  const FileState state = LookAt(input.file_);
  if (state.kind == FileKind::kFolder)
    return ReadError(path, std::make_error_code(std::errc::is_a_directory));
  input.seekable_ = state.kind == FileKind::kRegular;
  input.size_ = input.seekable_ ? state.size : 0;
  return input;
}

Result<size_t> InputFile::Read(std::span<uint8_t> out) {
  Ahead& peeked = ahead();
  const Bytes rest = Bytes(peeked.bytes).subspan(peeked.at);
  const size_t known = std::min(rest.size(), out.size());
  std::copy_n(rest.begin(), known, out.begin());
  peeked.at += known;
  if (known == rest.size()) peeked = {};
  size_t count = 0;
  if (const std::error_code error = ReadFully(file_, out.subspan(known), count))
    return ReadError(path_, error);
  return known + count;
}

InputFile::Ahead& InputFile::ahead() {
  static Ahead of_standard_input;
  return path_ == "-" ? of_standard_input : ahead_;
}

Result<Bytes> InputFile::Peek(size_t size) {
  Ahead& peeked = ahead();
  const size_t known = peeked.bytes.size();
  if (known - peeked.at < size) {
    peeked.bytes.resize(peeked.at + size);
    size_t count = 0;
    const std::error_code error = ReadFully(file_, std::span(peeked.bytes).subspan(known), count);
    peeked.bytes.resize(known + count);
    if (error) return ReadError(path_, error);
  }
  const Bytes rest = Bytes(peeked.bytes).subspan(peeked.at);
  return rest.first(std::min(size, rest.size()));
}

Status InputFile::Seek(uint64_t position) {
  ahead_ = {};
  const std::error_code error = MoveTo(file_, position);
  return error ? ReadError(path_, error) : OkStatus();
}

Status WriteStandardOutput(std::string_view text) {
  DP2TRACE_RETURN_IF_ERROR(SpendOutput("standard output", text.size()));
  StandardStreams& streams = Streams();
  const std::lock_guard lock(streams.mutex);
  std::error_code error = WriteBuffered(streams.output, streams.buffer, AsBytes(text));
  if (!error && streams.is_terminal) {
    error = WriteFully(streams.output, streams.buffer);
    streams.buffer.clear();
  }
  return OutputError(error);
}

Status FlushStandardOutput() {
  StandardStreams& streams = Streams();
  const std::lock_guard lock(streams.mutex);
  const std::error_code error = WriteFully(streams.output, streams.buffer);
  streams.buffer.clear();
  return OutputError(error);
}

Result<OutputFile> OutputFile::Create(const std::string& path) {
  OutputFile output;
  output.path_ = path;
  if (path == "-") return output;
  DP2TRACE_RETURN_IF_ERROR(SpendOutput(path, kFileOutput));
  if (const std::error_code error = output.Open()) return CannotWrite(path, error.message());
  return output;
}

std::error_code OutputFile::Open() {
  target_ = path_;
  if (const std::error_code error = FollowLinks(target_)) return error;
  const FileState state = LookAt(target_);
  if (state.kind == FileKind::kFolder) return std::make_error_code(std::errc::is_a_directory);
  if (!IsReplaced(state)) return OpenToWrite(target_, file_);
  RemoveRemainders(target_);
  const bool is_new = state.kind == FileKind::kMissing;
  const std::string temporary = TemporaryName(target_);
  const auto lock = LockTemporaries();
  // Nobody reads what the old file hid, not even before it is finished.
  const std::error_code error =
      CreateNew(temporary, is_new ? kNewFileMode : state.mode & kNewFileMode, file_);
  if (error) return error;
  AddTemporary(temporary, [temporary] { Remove(temporary); });
  temporary_ = temporary;
  if (!is_new) TakeOwnerAndMode(file_, state);
  return {};
}

OutputFile::OutputFile(OutputFile&& other) noexcept {
  *this = std::move(other);
}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  if (this == &other) return *this;
  Discard();
  path_ = std::move(other.path_);
  target_ = std::move(other.target_);
  temporary_ = std::exchange(other.temporary_, {});
  file_ = std::move(other.file_);
  buffer_ = std::exchange(other.buffer_, {});
  written_ = other.written_;
  return *this;
}

OutputFile::~OutputFile() {
  Discard();
}

void OutputFile::Forget() {
  ForgetTemporary(temporary_);
  temporary_.clear();
}

void OutputFile::Discard() {
  (void)file_.Close();
  if (temporary_.empty()) return;
  Remove(temporary_);
  Forget();
}

Status OutputFile::Write(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (path_ == "-") {
    DP2TRACE_RETURN_IF_ERROR(WriteStandardOutput(text));
  } else {
    DP2TRACE_RETURN_IF_ERROR(SpendOutput(path_, bytes.size()));
    if (const std::error_code error = WriteBuffered(file_, buffer_, bytes))
      return CannotWrite(path_, error.message());
  }
  written_ += bytes.size();
  return OkStatus();
}

Status OutputFile::Write(std::string_view text) {
  return Write(AsBytes(text));
}

std::error_code OutputFile::Close(Sync sync) {
  std::error_code error = WriteFully(file_, buffer_);
  buffer_.clear();
  if (!error && sync == Sync::kDisk && !temporary_.empty()) error = Synchronize(file_);
  return error ? error : file_.Close();
}

// What has come to lie there meanwhile and is not a regular file is not this program's to replace.
std::error_code OutputFile::TakePlace() {
  if (!IsReplaced(LookAt(target_))) return std::make_error_code(std::errc::file_exists);
  return Rename(temporary_, target_);
}

Status OutputFile::Commit(Sync sync) {
  if (path_ == "-") return FlushStandardOutput();
  std::error_code error = Close(sync);
  if (temporary_.empty()) return StatusOf(path_, error);
  if (!error) error = TakePlace();
  if (error) return CannotWrite(path_, error.message());
  Forget();
  return OkStatus();
}

Status OutputFile::CommitOver(const std::string& hash) {
  if (path_ == "-" || temporary_.empty()) return Commit();
  if (const std::error_code error = Close(Sync::kDisk)) return CannotWrite(path_, error.message());
  const Result<std::string> found = HashOfContent(target_);
  if (!found.ok()) return found.status();
  if (*found != hash) return CannotWrite(path_, kChanged);
  const std::error_code error = hash.empty() ? RenameToNew(temporary_, target_) : Exchange(hash);
  if (error == std::errc::file_exists) return CannotWrite(path_, kChanged);
  if (error) return CannotWrite(path_, error.message());
  Forget();
  return OkStatus();
}

// Looks at the old file once more where nobody finds it any longer: between a look before and the renaming it can change.
std::error_code OutputFile::Exchange(const std::string& hash) {
  auto lock = LockTemporaries();
  const std::error_code error = ExchangeNames(temporary_, target_);
  if (error == std::errc::not_supported) return TakePlace();
  if (error) return error;
  const Result<std::string> found = HashOfContent(temporary_);
  if (found.ok() && *found == hash) {
    Remove(temporary_);
    return {};
  }
  const std::error_code back = ExchangeNames(temporary_, target_);
  if (!back) return std::make_error_code(std::errc::file_exists);
  lock.unlock();
  Forget();  // it is somebody's work now
  return back;
}

std::string PlaceToWrite(const std::string& path) {
  std::string target = WithoutSlashes(path);
  if (FollowLinks(target)) return FolderOf(path);  // writing it says what is wrong
  const FileKind kind = LookAt(target).kind;
  const bool is_direct = kind == FileKind::kOther || kind == FileKind::kLink;
  return is_direct ? target : FolderOf(target);
}

Result<std::vector<uint8_t>> ReadWholeFile(const std::string& path, uint64_t limit) {
  Result<InputFile> input = InputFile::Open(path);
  if (!input.ok()) return input.status();
  std::vector<uint8_t> bytes;
  size_t filled = 0;
  while (true) {
    if (filled > limit) {
      return Failure(kCannotRead,
                     fmt::format("{} is larger than {}", path, Counted(limit, "byte")));
    }
    bytes.resize(filled + 65536 + filled / 2);
    Result<size_t> count = input->Read(std::span(bytes).subspan(filled));
    if (!count.ok()) return count.status();
    if (*count == 0) break;
    filled += *count;
  }
  bytes.resize(filled);
  return bytes;
}

Result<std::string> HashOfContent(const std::string& path) {
  if (LookAt(path).kind == FileKind::kMissing) return std::string();
  Result<InputFile> input = InputFile::Open(path);
  if (!input.ok()) return input.status();
  Xxh3_128Stream hash;
  std::vector<uint8_t> piece(kBufferSize);
  while (true) {
    const Result<size_t> count = input->Read(piece);
    if (!count.ok()) return count.status();
    if (*count == 0) return hash.Digest();
    hash.Add(Bytes(piece).first(*count));
  }
}

Status AppendToFile(const std::string& path, std::string_view text) {
  DP2TRACE_RETURN_IF_ERROR(SpendOutput(path, text.size()));
  Descriptor file;
  std::error_code error = OpenToAppend(path, file);
  if (!error) error = WriteFully(file, AsBytes(text));
  if (!error) error = file.Close();
  return StatusOf(path, error);
}

}  // namespace dp2trace
