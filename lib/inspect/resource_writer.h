// The contents of textures, once each: a file of its own by the hash of what it holds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "device/device.h"
#include "inspect/data_sink.h"

namespace dp2trace::inspect {

// Whether the page has a picture of what the surface holds.
bool ShowsPicture(const device::Resource& resource);
// What it looks like as a whole: `format_name`, `kind`, `width`, `height`, `depth`.
void AppendShape(json::Builder& out, const device::Resource& resource);

class ResourceWriter {
 public:
  explicit ResourceWriter(DataSink& data) : data_(&data) {}

  // The name of the file, "resources/HASH", that holds what the texture shows now; it is written where there is none yet. Empty where
  // the surface shows nothing. Fails where the file cannot be written. The palette is that of a format that has one.
  Result<std::string> Add(const device::Resource& resource,
                          const std::optional<image::Palette>& bound_palette);

 private:
  struct Known {
    uint64_t generation = 0;
    std::string hash;
  };
  std::string HashOf(const device::Resource& resource,
                     const std::optional<image::Palette>& palette);
  Status Write(const std::string& name, const device::Resource& resource,
               const std::optional<image::Palette>& palette);

  DataSink* data_;
  std::map<uint64_t, Known> known_;  // by image::Surface::id
  std::set<std::string> written_;
};

}  // namespace dp2trace::inspect
