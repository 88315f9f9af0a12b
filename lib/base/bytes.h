// Little-endian reading and writing of byte arrays, bounds-checked, never by casting to a host structure.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace dp2trace {

using Bytes = std::span<const uint8_t>;

static_assert(std::endian::native == std::endian::little,
              "the wire order is the host order on every supported target");

// Unaligned little-endian load. The caller has checked that sizeof(T) bytes are there.
template <class T>
inline T Load(const uint8_t* at) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
inline void Store(uint8_t* at, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::memcpy(at, &value, sizeof value);
}

inline uint16_t LoadU16(const uint8_t* at) {
  return Load<uint16_t>(at);
}
inline uint32_t LoadU32(const uint8_t* at) {
  return Load<uint32_t>(at);
}
inline uint64_t LoadU64(const uint8_t* at) {
  return Load<uint64_t>(at);
}

// Reads forward through a byte array. A read past the end returns zeros, sets failed() and keeps the position.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

  size_t offset() const { return offset_; }
  size_t remaining() const { return bytes_.size() - offset_; }
  bool failed() const { return failed_; }

  template <class T>
  T Read() {
    if (remaining() < sizeof(T)) {
      failed_ = true;
      return T{};
    }
    const T value = Load<T>(bytes_.data() + offset_);
    offset_ += sizeof(T);
    return value;
  }

  // The next `size` bytes, or an empty span (and failed()) when fewer remain.
  Bytes ReadBytes(uint64_t size) {
    if (remaining() < size) {
      failed_ = true;
      return {};
    }
    const Bytes result = bytes_.subspan(offset_, static_cast<size_t>(size));
    offset_ += static_cast<size_t>(size);
    return result;
  }

 private:
  Bytes bytes_;
  size_t offset_ = 0;
  bool failed_ = false;
};

// Appends little-endian values to a byte vector.
class ByteWriter {
 public:
  explicit ByteWriter(std::vector<uint8_t>& out) : out_(&out) {}

  size_t offset() const { return out_->size(); }

  template <class T>
  void Write(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const size_t at = out_->size();
    out_->resize(at + sizeof(T));
    Store(out_->data() + at, value);
  }
  void WriteBytes(Bytes bytes) { out_->insert(out_->end(), bytes.begin(), bytes.end()); }
  void WriteZeros(size_t count) { out_->insert(out_->end(), count, uint8_t{0}); }

 private:
  std::vector<uint8_t>* out_;
};

// Lower-case hex digits without separators, and back. ParseHex returns false on an odd length or a foreign character.
std::string ToHex(Bytes bytes);
bool ParseHex(std::string_view text, std::vector<uint8_t>& out);

}  // namespace dp2trace
