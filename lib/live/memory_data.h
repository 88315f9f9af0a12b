// What a page shows, in memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "inspect/data_sink.h"

namespace dp2trace::live {

class MemoryData final : public inspect::DataSink {
 public:
  using Values = std::map<std::string, std::string, std::less<>>;

  Status Write(std::string_view name, std::string_view value) override {
    bytes_ += value.size();
    values_.insert_or_assign(std::string(name), std::string(value));
    return OkStatus();
  }
  // Nothing travels far: packing would take longer than it saves.
  Status WritePacked(std::string_view name, std::string_view value) override {
    return Write(name, value);
  }
  uint64_t bytes() const override { return bytes_; }
  Values Take() { return std::move(values_); }

 private:
  Values values_;
  uint64_t bytes_ = 0;
};

}  // namespace dp2trace::live
