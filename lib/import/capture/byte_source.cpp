#include "import/capture/byte_source.h"

#include <brotli/decode.h>
#include <fmt/format.h>
#include <snappy-c.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "base/plain_text.h"
#include "rules/rule.h"

namespace dp2trace::import {
namespace {

constexpr size_t kPiece = 1 << 18;
// apitrace writes chunks of 1 MiB; larger ones are taken up to this size.
constexpr size_t kMaxSnappyChunk = 1 << 25;
// Of a byte that is decompressed and read, in steps (Allowance).
constexpr uint64_t kByteSteps = 6;
// What the decompressor of gzip takes: its window, and what is beside.
constexpr uint64_t kGzipMemory = 64 << 10;

// The stored bytes: what was read to recognise the framing, then the rest of the file.
class Stored {
 public:
  Stored(std::optional<InputFile> file, std::vector<uint8_t> head)
      : file_(std::move(file)), pending_(std::move(head)) {}

  // Reads up to out.size() bytes; fewer only at the end or on an error.
  size_t Read(std::span<uint8_t> out, std::string& error) {
    size_t filled = std::min(out.size(), pending_.size() - taken_);
    std::copy_n(pending_.begin() + static_cast<std::ptrdiff_t>(taken_), filled, out.begin());
    taken_ += filled;
    while (file_ && filled < out.size()) {
      Result<size_t> count = file_->Read(out.subspan(filled));
      if (!count.ok()) {
        error = count.status().diagnostic().message;
        break;
      }
      if (*count == 0) break;
      filled += *count;
    }
    return filled;
  }

 private:
  std::optional<InputFile> file_;  // none: all is pending
  std::vector<uint8_t> pending_;
  size_t taken_ = 0;
};

class NoFraming final : public Framing {
 public:
  explicit NoFraming(Stored stored) : stored_(std::move(stored)) {}
  void Next(std::vector<uint8_t>& out, std::string& error) override {
    const size_t start = out.size();
    out.resize(start + kPiece);
    out.resize(start + stored_.Read(std::span(out).subspan(start), error));
  }
  uint64_t memory() const override { return 0; }

 private:
  Stored stored_;
};

// "at", then chunks: u32 compressed size, snappy data.
class SnappyFraming final : public Framing {
 public:
  explicit SnappyFraming(Stored stored) : stored_(std::move(stored)) {
    std::string ignored;
    uint8_t magic[2];
    stored_.Read(magic, ignored);
  }
  void Next(std::vector<uint8_t>& out, std::string& error) override {
    uint8_t header[4];
    const size_t count = stored_.Read(header, error);
    if (count == 0 || !error.empty()) return;
    if (count < sizeof header) {
      error = "the file ends inside a snappy chunk header";
      return;
    }
    const uint32_t size = LoadU32(header);
    if (size > kMaxSnappyChunk) {
      error = fmt::format("snappy chunk of {}, at most {} are accepted", Counted(size, "byte"),
                          kMaxSnappyChunk);
      return;
    }
    compressed_.resize(size);
    const size_t got = stored_.Read(compressed_, error);
    if (got < size) {
      if (error.empty()) {
        error =
            fmt::format("the file ends inside a snappy chunk: {} of {} bytes are there", got, size);
      }
      return;
    }
    Decompress(out, error);
  }
  uint64_t memory() const override { return compressed_.capacity(); }

 private:
  void Decompress(std::vector<uint8_t>& out, std::string& error) {
    const char* input = reinterpret_cast<const char*>(compressed_.data());
    size_t length = 0;
    if (snappy_uncompressed_length(input, compressed_.size(), &length) != SNAPPY_OK ||
        length > kMaxSnappyChunk) {
      error = length > kMaxSnappyChunk
                  ? fmt::format("snappy chunk that holds {}, at most {} are accepted",
                                Counted(length, "byte"), kMaxSnappyChunk)
                  : "damaged snappy chunk";
      return;
    }
    const size_t start = out.size();
    out.resize(start + length);
    if (snappy_uncompress(input, compressed_.size(), reinterpret_cast<char*>(out.data() + start),
                          &length) != SNAPPY_OK) {
      out.resize(start);
      error = "damaged snappy chunk";
    }
  }

  Stored stored_;
  std::vector<uint8_t> compressed_;
};

// What the three stream decompressors share: refill the input, append to the output, stop at the end of the stream.
template <class Codec>
class StreamFraming final : public Framing {
 public:
  explicit StreamFraming(Stored stored) : stored_(std::move(stored)), input_(kPiece) {}
  void Next(std::vector<uint8_t>& out, std::string& error) override {
    const size_t start = out.size();
    out.resize(start + kPiece);
    size_t produced = 0;
    while (produced == 0 && !ended_) {
      if (begin_ == end_ && !codec_.has_output()) {
        begin_ = 0;
        end_ = stored_.Read(input_, error);
        if (end_ == 0) {
          if (!codec_.between_streams() && error.empty())
            error = "the compressed stream ends early";
          ended_ = true;
          break;
        }
      }
      if (!codec_.Step(Bytes(input_).subspan(begin_, end_ - begin_), begin_,
                       std::span(out).subspan(start), produced)) {
        error = "damaged compressed stream";
        ended_ = true;
      }
    }
    out.resize(start + produced);
  }
  uint64_t memory() const override { return input_.capacity() + codec_.memory(); }

 private:
  Stored stored_;
  std::vector<uint8_t> input_;
  size_t begin_ = 0, end_ = 0;
  bool ended_ = false;
  Codec codec_;
};

class GzipCodec {
 public:
  GzipCodec() { ready_ = inflateInit2(&stream_, 15 + 16) == Z_OK; }
  GzipCodec(const GzipCodec&) = delete;
  GzipCodec& operator=(const GzipCodec&) = delete;
  ~GzipCodec() { inflateEnd(&stream_); }
  static uint64_t memory() { return kGzipMemory; }
  bool has_output() const { return has_output_; }
  bool between_streams() const { return between_; }
  bool Step(Bytes input, size_t& begin, std::span<uint8_t> output, size_t& produced) {
    if (!ready_) return false;
    if (between_ && !input.empty() && started_ && inflateReset(&stream_) != Z_OK) return false;
    started_ = true;
    // zlib's interface lacks the const; it does not write.
    stream_.next_in = const_cast<Bytef*>(input.data());
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = output.data();
    stream_.avail_out = static_cast<uInt>(output.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    begin += input.size() - stream_.avail_in;
    produced = output.size() - stream_.avail_out;
    between_ = result == Z_STREAM_END;
    has_output_ = stream_.avail_out == 0 && !between_;
    return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR;
  }

 private:
  z_stream stream_ = {};
  bool ready_ = false, started_ = false, between_ = true, has_output_ = false;
};

class ZstdCodec {
 public:
  uint64_t memory() const { return ZSTD_sizeof_DStream(stream_.get()); }
  bool has_output() const { return has_output_; }
  bool between_streams() const { return between_; }
  bool Step(Bytes input, size_t& begin, std::span<uint8_t> output, size_t& produced) {
    ZSTD_inBuffer in = {input.data(), input.size(), 0};
    ZSTD_outBuffer out = {output.data(), output.size(), 0};
    const size_t result = ZSTD_decompressStream(stream_.get(), &out, &in);
    begin += in.pos;
    produced = out.pos;
    if (ZSTD_isError(result) != 0) return false;
    between_ = result == 0;
    has_output_ = out.pos == out.size && !between_;
    return true;
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> stream_{ZSTD_createDStream()};
  bool between_ = true, has_output_ = false;
};

class BrotliCodec {
 public:
  uint64_t memory() const { return *memory_; }
  bool has_output() const { return BrotliDecoderHasMoreOutput(state_.get()) != BROTLI_FALSE; }
  bool between_streams() const { return BrotliDecoderIsFinished(state_.get()) != BROTLI_FALSE; }
  bool Step(Bytes input, size_t& begin, std::span<uint8_t> output, size_t& produced) {
    size_t available_in = input.size();
    const uint8_t* next_in = input.data();
    size_t available_out = output.size();
    uint8_t* next_out = output.data();
    const BrotliDecoderResult result = BrotliDecoderDecompressStream(
        state_.get(), &available_in, &next_in, &available_out, &next_out, nullptr);
    begin += input.size() - available_in;
    produced = output.size() - available_out;
    return result != BROTLI_DECODER_RESULT_ERROR &&
           !(produced == 0 && between_streams() && available_in != 0);
  }

 private:
  struct Free {
    void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
  };
  // Each block says before its first byte how large it is.
  static constexpr size_t kBlockHeader = alignof(std::max_align_t);
  static void* Allocate(void* memory, size_t size) {
    void* const block = std::malloc(size + kBlockHeader);
    if (block == nullptr) return nullptr;
    std::memcpy(block, &size, sizeof size);
    *static_cast<uint64_t*>(memory) += size;
    return static_cast<uint8_t*>(block) + kBlockHeader;
  }
  static void Deallocate(void* memory, void* address) {
    if (address == nullptr) return;
    void* const block = static_cast<uint8_t*>(address) - kBlockHeader;
    size_t size = 0;
    std::memcpy(&size, block, sizeof size);
    *static_cast<uint64_t*>(memory) -= size;
    std::free(block);
  }

  std::unique_ptr<uint64_t> memory_ = std::make_unique<uint64_t>(0);  // bytes
  std::unique_ptr<BrotliDecoderState, Free> state_{
      BrotliDecoderCreateInstance(&Allocate, &Deallocate, memory_.get())};
};

bool StartsWith(Bytes head, std::initializer_list<uint8_t> magic) {
  return head.size() >= magic.size() && std::equal(magic.begin(), magic.end(), head.begin());
}

// What tells the framing.
std::vector<uint8_t> MagicOf(const std::vector<uint8_t>& head) {
  return {head.begin(),
          head.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(head.size(), 8))};
}

bool IsGzip(Bytes head) {
  return StartsWith(head, {0x1F, 0x8B});
}
bool IsZstd(Bytes head) {
  return StartsWith(head, {0x28, 0xB5, 0x2F, 0xFD});
}

std::pair<std::unique_ptr<Framing>, std::string_view> MakeFraming(Stored stored, Bytes head) {
  if (StartsWith(head, {'a', 't'}))
    return {std::make_unique<SnappyFraming>(std::move(stored)), "snappy"};
  if (IsGzip(head)) return {std::make_unique<StreamFraming<GzipCodec>>(std::move(stored)), "gzip"};
  if (IsZstd(head)) return {std::make_unique<StreamFraming<ZstdCodec>>(std::move(stored)), "zstd"};
  // An uncompressed trace starts with its version number and an event or a property; brotli has no magic.
  if (StartsWith(head, {6, 6}) || (head.size() >= 2 && head[0] <= 5 && head[1] == 0)) {
    return {std::make_unique<NoFraming>(std::move(stored)), "none"};
  }
  return {std::make_unique<StreamFraming<BrotliCodec>>(std::move(stored)), "brotli"};
}

}  // namespace

Result<ByteSource> ByteSource::Open(const std::string& path, std::shared_ptr<Allowance> allowance) {
  Result<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return file.status();
  std::vector<uint8_t> head(4096);
  Result<size_t> count = file->Read(head);
  if (!count.ok()) return count.status();
  head.resize(*count);
  if (head.empty()) {
    return Status(
        MakeDiagnostic(Rule::kTrace001, fmt::format("cannot read {}: it is empty", path)));
  }
  ByteSource source;
  source.allowance_ = std::move(allowance);
  const std::vector<uint8_t> magic = MagicOf(head);
  std::tie(source.framing_, source.framing_name_) =
      MakeFraming(Stored(std::move(*file), std::move(head)), magic);
  return source;
}

Result<ByteSource> ByteSource::FromBytes(std::vector<uint8_t> bytes,
                                         std::shared_ptr<Allowance> allowance) {
  if (bytes.empty()) return Status(MakeDiagnostic(Rule::kTrace001, "the capture is empty"));
  ByteSource source;
  source.allowance_ = std::move(allowance);
  const std::vector<uint8_t> magic = MagicOf(bytes);
  std::tie(source.framing_, source.framing_name_) =
      MakeFraming(Stored(std::nullopt, std::move(bytes)), magic);
  return source;
}

bool ByteSource::IsDecompressed(Bytes start) {
  return IsGzip(start) || IsZstd(start);
}

bool ByteSource::Refill() {
  if (ended_) return false;
  consumed_ += position_;
  buffer_.clear();
  position_ = 0;
  framing_->Next(buffer_, error_);
  if (!Count()) buffer_.clear();
  if (buffer_.empty() || !error_.empty()) ended_ = true;
  return !buffer_.empty();
}

// False where the allowance is exceeded, with the error.
bool ByteSource::Count() {
  const uint64_t memory = buffer_.capacity() + framing_->memory();
  if (memory > counted_) {
    share_ = {};
    share_ = MemoryShare(allowance_, memory);
    counted_ = memory;
  }
  const bool is_affordable = counted_ == 0 || share_.is_granted();
  if (is_affordable && allowance_->Spend(buffer_.size() * kByteSteps)) return true;
  error_ = fmt::format("at byte {}: {}", position(), allowance_->Reason());
  return false;
}

uint8_t ByteSource::ReadU8() {
  if (position_ == buffer_.size() && !Refill()) {
    failed_ = true;
    return 0;
  }
  return buffer_[position_++];
}

uint64_t ByteSource::ReadUint() {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint8_t byte = ReadU8();
    if (failed_) return 0;
    if (shift >= 64 || (shift == 63 && (byte & 0x7E) != 0)) {
      failed_ = true;
      error_ = fmt::format("integer of more than 64 bits at byte {}", this->position());
      return 0;
    }
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return value;
  }
}

bool ByteSource::CopyTo(uint8_t* out, size_t size) {
  while (size > 0) {
    if (position_ == buffer_.size() && !Refill()) {
      failed_ = true;
      return false;
    }
    const size_t part = std::min(size, buffer_.size() - position_);
    std::memcpy(out, buffer_.data() + position_, part);
    out += part;
    position_ += part;
    size -= part;
  }
  return true;
}

bool ByteSource::AppendTo(std::vector<uint8_t>& out, uint64_t size) {
  while (size > 0) {
    if (position_ == buffer_.size() && !Refill()) {
      failed_ = true;
      return false;
    }
    const size_t part = static_cast<size_t>(std::min<uint64_t>(size, buffer_.size() - position_));
    const auto from = buffer_.begin() + static_cast<std::ptrdiff_t>(position_);
    out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(part));
    position_ += part;
    size -= part;
  }
  return true;
}

bool ByteSource::Skip(uint64_t size) {
  while (size > 0) {
    if (position_ == buffer_.size() && !Refill()) {
      failed_ = true;
      return false;
    }
    const size_t part = static_cast<size_t>(std::min<uint64_t>(size, buffer_.size() - position_));
    position_ += part;
    size -= part;
  }
  return true;
}

bool ByteSource::at_end() {
  return position_ == buffer_.size() && !Refill();
}

}  // namespace dp2trace::import
