// A session of the library that takes what a recorder writes: pixels and findings of the replay.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "api/dp2trace.h"
#include "dp2trace_capture.h"
#include "trace/events.h"
#include "trace/reader.h"

namespace dp2trace {

class RecordedSession {
 public:
  // `level`: of the driver, 6 to 9. The header is written.
  RecordedSession(d2c& capture, uint32_t level) {
    REQUIRE(dp2trace_open(nullptr, &session_) == DP2TRACE_OK);
    d2c_open(&capture, Feed, this, nullptr, 0, nullptr, 0);
    struct d2c_header header;
    d2c_header_init(&header);
    header.driver_level = level;
    d2c_put_header(&capture, &header);
  }
  ~RecordedSession() { dp2trace_close(session_); }
  RecordedSession(const RecordedSession&) = delete;
  RecordedSession& operator=(const RecordedSession&) = delete;

  // The first three bytes of the pixel at `x`, in units of 4 bytes.
  uint32_t Pixel(uint32_t handle, uint32_t x, uint32_t y, uint32_t face = 0, uint32_t level = 0,
                 uint32_t space = 0) {
    const dp2trace_level* const bits = dp2trace_get_level(session_, space, handle, face, level);
    if (bits == nullptr) {
      FAIL_CHECK(dp2trace_last_error(session_));
      return 0;
    }
    uint32_t pixel = 0;
    std::memcpy(&pixel, static_cast<const uint8_t*>(bits->bytes) + y * bits->pitch + x * 4, 4);
    return pixel & 0xFFFFFF;
  }
  // The same of a slice of a volume.
  uint32_t Slice(uint32_t handle, uint32_t x, uint32_t y, uint32_t slice) {
    const dp2trace_level* const bits = dp2trace_get_level(session_, 0, handle, 0, 0);
    REQUIRE(bits != nullptr);
    return Pixel(handle, x, y + slice * bits->height);
  }
  bool Has(uint32_t handle, uint32_t space) {
    return dp2trace_get_level(session_, space, handle, 0, 0) != nullptr;
  }
  // Rule, event and message of each finding, in lines.
  std::string Findings() {
    std::string all;
    while (const dp2trace_finding* const finding = dp2trace_next_finding(session_))
      all += fmt::format("{} {}: {}\n", finding->rule, finding->event, finding->message);
    return all;
  }
  size_t CallsWithoutResult() { return ReadCalls().first; }
  // What the driver returned, call by call.
  std::vector<uint32_t> Results() { return ReadCalls().second; }
  const dp2trace_statistics& statistics() { return *dp2trace_get_statistics(session_); }
  // All that was written.
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  // DP2 calls without a result, and the others' results.
  std::pair<size_t, std::vector<uint32_t>> ReadCalls() {
    DiagnosticList findings;
    Result<trace::Reader> reader = trace::Reader::FromBytes(bytes_, findings);
    REQUIRE(reader.ok());
    std::set<uint64_t> open;
    std::vector<uint32_t> results;
    uint64_t session = 0;
    trace::EventRecord record;
    while (reader->Next(record)) {
      if (std::holds_alternative<trace::Header>(record.event)) session = record.number;
      if (std::holds_alternative<trace::Dp2>(record.event)) open.insert(record.number);
      if (const auto* const result = std::get_if<trace::CallResult>(&record.event)) {
        CHECK(open.erase(session + result->call) == 1);
        results.push_back(result->ddrval);
      }
    }
    return {open.size(), results};
  }
  static int Feed(void* user, const void* bytes, d2c_u32 size) {
    auto& recorded = *static_cast<RecordedSession*>(user);
    const auto* const from = static_cast<const uint8_t*>(bytes);
    recorded.bytes_.insert(recorded.bytes_.end(), from, from + size);
    return dp2trace_feed(recorded.session_, bytes, size);
  }

  dp2trace_session* session_ = nullptr;
  std::vector<uint8_t> bytes_;
};

}  // namespace dp2trace
