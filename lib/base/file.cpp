#include "base/file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/temporaries.h"

namespace dp2trace {
namespace {

Status ReadError(const std::string& path, int error) {
  return Failure(kCannotRead, fmt::format("cannot read {}: {}", path, std::strerror(error)));
}

Status WriteError(const std::string& path, int error) {
  return Failure(kCannotWrite, fmt::format("cannot write {}: {}", path, std::strerror(error)));
}

}  // namespace

Result<InputFile> InputFile::Open(const std::string& path) {
  InputFile input;
  input.path_ = path;
  if (path == "-") {
    input.file_.reset(stdin);
    return input;
  }
  input.file_.reset(std::fopen(path.c_str(), "rbe"));
  if (!input.file_) return ReadError(path, errno);
  struct stat info = {};
  if (fstat(fileno(input.file_.get()), &info) != 0) return ReadError(path, errno);
  if (S_ISDIR(info.st_mode)) return ReadError(path, EISDIR);
  input.seekable_ = S_ISREG(info.st_mode);
  input.size_ = input.seekable_ ? static_cast<uint64_t>(info.st_size) : 0;
  // Callers read in large pieces into buffers of their own.
  if (std::setvbuf(input.file_.get(), nullptr, _IONBF, 0) != 0) return ReadError(path, errno);
  return input;
}

Result<size_t> InputFile::Read(std::span<uint8_t> out) {
  const size_t count = std::fread(out.data(), 1, out.size(), file_.get());
  if (count < out.size() && std::ferror(file_.get()) != 0) return ReadError(path_, errno);
  return count;
}

Status InputFile::Seek(uint64_t position) {
  if (fseeko(file_.get(), static_cast<off_t>(position), SEEK_SET) != 0)
    return ReadError(path_, errno);
  return OkStatus();
}

Result<OutputFile> OutputFile::Create(const std::string& path) {
  OutputFile output;
  output.path_ = path;
  if (path == "-") {
    output.file_ = stdout;
    return output;
  }
  RemoveRemainders(path);
  const std::string temporary = TemporaryName(path);
  const auto lock = LockTemporaries();
  output.file_ = std::fopen(temporary.c_str(), "wbe");
  if (output.file_ == nullptr) return WriteError(path, errno);
  AddTemporary(temporary, [temporary] { (void)unlink(temporary.c_str()); });
  output.temporary_ = temporary;
  return output;
}

OutputFile::OutputFile(OutputFile&& other) noexcept {
  *this = std::move(other);
}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  if (this == &other) return *this;
  Discard();
  path_ = std::move(other.path_);
  temporary_ = std::exchange(other.temporary_, {});
  file_ = std::exchange(other.file_, nullptr);
  written_ = other.written_;
  return *this;
}

OutputFile::~OutputFile() {
  Discard();
}

void OutputFile::Discard() {
  if (file_ != nullptr && file_ != stdout) {
    std::fclose(file_);  // NOLINT(cert-err33-c): the file is thrown away
  }
  file_ = nullptr;
  if (!temporary_.empty()) {
    unlink(temporary_.c_str());  // NOLINT: best effort, nothing to report
    ForgetTemporary(temporary_);
    temporary_.clear();
  }
}

Status OutputFile::Write(Bytes bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size())
    return WriteError(path_, errno);
  written_ += bytes.size();
  return OkStatus();
}

Status OutputFile::Write(std::string_view text) {
  return Write(Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

Status OutputFile::Commit(Sync sync) {
  if (std::fflush(file_) != 0) return WriteError(path_, errno);
  if (file_ == stdout) return OkStatus();
  if (sync == Sync::kDisk && fsync(fileno(file_)) != 0 && errno != EINVAL)
    return WriteError(path_, errno);
  if (std::fclose(std::exchange(file_, nullptr)) != 0) return WriteError(path_, errno);
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) return WriteError(path_, errno);
  ForgetTemporary(temporary_);
  temporary_.clear();
  return OkStatus();
}

Result<std::vector<uint8_t>> ReadWholeFile(const std::string& path, uint64_t limit) {
  Result<InputFile> input = InputFile::Open(path);
  if (!input.ok()) return input.status();
  std::vector<uint8_t> bytes;
  size_t filled = 0;
  while (true) {
    if (filled > limit) {
      return Failure(kCannotRead, fmt::format("{} is larger than {} bytes", path, limit));
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

}  // namespace dp2trace
