#include "kmt/layout.h"

namespace dp2trace::kmt {
namespace {

constexpr auto kU32 = FieldType::kU32;
constexpr auto kHandle = FieldType::kHandle;
constexpr auto kU64 = FieldType::kU64;
constexpr auto kPointer = FieldType::kPointer;
constexpr auto kIn = Direction::kIn;
constexpr auto kOut = Direction::kOut;
constexpr auto kInOut = Direction::kInOut;
constexpr auto kReserved = Direction::kReserved;

// clang-format off
constexpr LayoutField kRenderFields[] = {
#define DP2TRACE_RENDER_FIELD(member, Name, type, direction, count, w64, w32, since) \
    {#Name, FieldType::k##type, Direction::k##direction, w64, w32, count, since},
#include "kmt/render_layout.def"
#undef DP2TRACE_RENDER_FIELD
};

constexpr LayoutField kCreateDeviceFields[] = {
    {"hAdapter",              kPointer, kIn,   0,  0},  // a 32-bit handle from user mode, a pointer from kernel mode
    {"Flags",                 kU32,     kIn,   8,  4},
    {"hDevice",               kHandle,  kOut, 12,  8},
    {"pCommandBuffer",        kPointer, kOut, 16, 12},
    {"CommandBufferSize",     kU32,     kOut, 24, 16},
    {"pAllocationList",       kPointer, kOut, 32, 20},
    {"AllocationListSize",    kU32,     kOut, 40, 24},
    {"pPatchLocationList",    kPointer, kOut, 48, 28},
    {"PatchLocationListSize", kU32,     kOut, 56, 32},
};

constexpr LayoutField kDestroyDeviceFields[] = {{"hDevice", kHandle, kIn, 0, 0}};

constexpr LayoutField kCreateContextFields[] = {
    {"hDevice",               kHandle,  kIn,        0,  0},
    {"NodeOrdinal",           kU32,     kIn,        4,  4},
    {"EngineAffinity",        kU32,     kIn,        8,  8},
    {"Flags",                 kU32,     kIn,       12, 12},
    {"pPrivateDriverData",    kPointer, kIn,       16, 16},
    {"PrivateDriverDataSize", kU32,     kIn,       24, 20},
    {"ClientHint",            kU32,     kIn,       28, 24},
    {"hContext",              kHandle,  kOut,      32, 28},
    {"pCommandBuffer",        kPointer, kOut,      40, 32},
    {"CommandBufferSize",     kU32,     kOut,      48, 36},
    {"pAllocationList",       kPointer, kOut,      56, 40},
    {"AllocationListSize",    kU32,     kOut,      64, 44},
    {"pPatchLocationList",    kPointer, kOut,      72, 48},
    {"PatchLocationListSize", kU32,     kOut,      80, 52},
    {"CommandBuffer",         kU64,     kReserved, 88, 56, 1, 110},
};

constexpr LayoutField kDestroyContextFields[] = {{"hContext", kHandle, kIn, 0, 0}};

constexpr LayoutField kCreateAllocationFields[] = {
    {"hDevice",                       kHandle,  kIn,     0,  0},
    {"hResource",                     kHandle,  kInOut,  4,  4},
    {"hGlobalShare",                  kHandle,  kOut,    8,  8},
    {"pPrivateRuntimeData",           kPointer, kIn,    16, 12},
    {"PrivateRuntimeDataSize",        kU32,     kIn,    24, 16},
    {"pPrivateDriverData",            kPointer, kIn,    32, 20},
    {"PrivateDriverDataSize",         kU32,     kIn,    40, 24},
    {"NumAllocations",                kU32,     kIn,    44, 28},
    {"pAllocationInfo",               kPointer, kInOut, 48, 32},
    {"Flags",                         kU32,     kIn,    56, 36},
    {"hPrivateRuntimeResourceHandle", kPointer, kIn,    64, 40},
};

constexpr LayoutField kAllocationInfoFields[] = {
    {"hAllocation",           kHandle,  kOut,  0,  0},
    {"pSystemMem",            kPointer, kIn,   8,  4},
    {"pPrivateDriverData",    kPointer, kIn,  16,  8},
    {"PrivateDriverDataSize", kU32,     kIn,  24, 12},
    {"VidPnSourceId",         kU32,     kIn,  28, 16},
    {"Flags",                 kU32,     kIn,  32, 20},
};

constexpr LayoutField kOpenResourceFields[] = {
    {"hDevice",                          kHandle,  kIn,    0,  0},
    {"hGlobalShare",                     kHandle,  kIn,    4,  4},
    {"NumAllocations",                   kU32,     kIn,    8,  8},
    {"pOpenAllocationInfo",              kPointer, kIn,   16, 12},
    {"pPrivateRuntimeData",              kPointer, kIn,   24, 16},
    {"PrivateRuntimeDataSize",           kU32,     kIn,   32, 20},
    {"pResourcePrivateDriverData",       kPointer, kIn,   40, 24},
    {"ResourcePrivateDriverDataSize",    kU32,     kIn,   48, 28},
    {"pTotalPrivateDriverDataBuffer",    kPointer, kIn,   56, 32},
    {"TotalPrivateDriverDataBufferSize", kU32,     kInOut, 64, 36},
    {"hResource",                        kHandle,  kOut,  68, 40},
};

constexpr LayoutField kOpenAllocationInfoFields[] = {
    {"hAllocation",           kHandle,  kOut,  0, 0},
    {"pPrivateDriverData",    kPointer, kOut,  8, 4},
    {"PrivateDriverDataSize", kU32,     kOut, 16, 8},
};

constexpr LayoutField kDestroyAllocationFields[] = {
    {"hDevice",          kHandle,  kIn,  0,  0},
    {"hResource",        kHandle,  kIn,  4,  4},
    {"phAllocationList", kPointer, kIn,  8,  8},
    {"AllocationCount",  kU32,     kIn, 16, 12},
};

constexpr LayoutField kDestroyAllocation2Fields[] = {
    {"hDevice",          kHandle,  kIn,  0,  0, 1, 200},
    {"hResource",        kHandle,  kIn,  4,  4, 1, 200},
    {"phAllocationList", kPointer, kIn,  8,  8, 1, 200},
    {"AllocationCount",  kU32,     kIn, 16, 12, 1, 200},
    {"Flags",            kU32,     kIn, 20, 16, 1, 200},
};

constexpr LayoutField kLockFields[] = {
    {"hDevice",           kHandle,  kIn,        0,  0},
    {"hAllocation",       kHandle,  kInOut,     4,  4},  // a Discard lock may return a new handle
    {"PrivateDriverData", kU32,     kIn,        8,  8},
    {"NumPages",          kU32,     kIn,       12, 12},
    {"pPages",            kPointer, kIn,       16, 16},
    {"pData",             kPointer, kOut,      24, 20},
    {"Flags",             kU32,     kIn,       32, 24},
    {"GpuVirtualAddress", kU64,     kReserved, 40, 32, 1, 110},
};

constexpr LayoutField kUnlockFields[] = {
    {"hDevice",        kHandle,  kIn, 0, 0},
    {"NumAllocations", kU32,     kIn, 4, 4},
    {"phAllocations",  kPointer, kIn, 8, 8},
};

// Info is D3DDDI_SYNCHRONIZATIONOBJECTINFO: the type and 64 bytes that depend on it.
constexpr LayoutField kCreateSyncObjectFields[] = {
    {"hDevice",     kHandle, kIn,   0,  0},
    {"Info",        kU32,    kIn,   4,  4, 17},
    {"hSyncObject", kHandle, kOut, 72, 72},
};

constexpr LayoutField kWaitForSyncObjectFields[] = {
    {"hContext",          kHandle, kIn, 0, 0},
    {"ObjectCount",       kU32,    kIn, 4, 4},
    {"ObjectHandleArray", kHandle, kIn, 8, 8, kMaxObjectsWaitedOn},
};

constexpr LayoutField kSignalSyncObjectFields[] = {
    {"hContext",          kHandle, kIn,   0,   0},
    {"ObjectCount",       kU32,    kIn,   4,   4},
    {"ObjectHandleArray", kHandle, kIn,   8,   8, kMaxObjectsSignaled},
    {"Flags",             kU32,    kIn, 136, 136},
};

// FenceValue shares its place with CpuEventHandle and Reserved[8].
constexpr LayoutField kSignalSyncObject2Fields[] = {
    {"hContext",              kHandle, kIn,   0,   0},
    {"ObjectCount",           kU32,    kIn,   4,   4},
    {"ObjectHandleArray",     kHandle, kIn,   8,   8, kMaxObjectsSignaled},
    {"Flags",                 kU32,    kIn, 136, 136},
    {"BroadcastContextCount", kU32,    kIn, 140, 140},
    {"BroadcastContext",      kHandle, kIn, 144, 144, kMaxBroadcastContexts},
    {"FenceValue",            kU64,    kIn, 400, 400, 8},
};

constexpr LayoutField kSubmitCommandFields[] = {
    {"Commands",              kU64,     kIn,         0,   0, 1, 200},
    {"CommandLength",         kU32,     kIn,         8,   8, 1, 200},
    {"Flags",                 kU32,     kIn,        12,  12, 1, 200},
    {"PresentHistoryToken",   kU64,     kIn,        16,  16, 1, 200},
    {"BroadcastContextCount", kU32,     kIn,        24,  24, 1, 200},
    {"BroadcastContext",      kHandle,  kIn,        28,  28, kMaxBroadcastContexts, 200},
    {"pPrivateDriverData",    kPointer, kIn,       288, 284, 1, 200},
    {"PrivateDriverDataSize", kU32,     kIn,       296, 288, 1, 200},
    {"NumPrimaries",          kU32,     kIn,       300, 292, 1, 200},
    {"WrittenPrimaries",      kHandle,  kIn,       304, 296, kMaxWrittenPrimaries, 200},
    {"NumHistoryBuffers",     kU32,     kReserved, 368, 360, 1, 200},
    {"HistoryBufferArray",    kPointer, kReserved, 376, 364, 1, 200},
};

constexpr LayoutField kAllocationListFields[] = {
    {"hAllocation", kHandle, kIn, 0, 0},
    {"Value",       kU32,    kIn, 4, 4},
};

constexpr LayoutField kPatchLocationListFields[] = {
    {"AllocationIndex",  kU32, kIn,     0,  0},
    {"Value",            kU32, kInOut,  4,  4},
    {"DriverId",         kU32, kInOut,  8,  8},
    {"AllocationOffset", kU32, kInOut, 12, 12},
    {"PatchOffset",      kU32, kInOut, 16, 16},
    {"SplitOffset",      kU32, kInOut, 20, 20},
};
// clang-format on

}  // namespace

constexpr Layout kRenderLayout = {"D3DKMT_RENDER", kRenderFields};
constexpr Layout kCreateDeviceLayout = {"D3DKMT_CREATEDEVICE", kCreateDeviceFields};
constexpr Layout kDestroyDeviceLayout = {"D3DKMT_DESTROYDEVICE", kDestroyDeviceFields};
constexpr Layout kCreateContextLayout = {"D3DKMT_CREATECONTEXT", kCreateContextFields};
constexpr Layout kDestroyContextLayout = {"D3DKMT_DESTROYCONTEXT", kDestroyContextFields};
constexpr Layout kCreateAllocationLayout = {"D3DKMT_CREATEALLOCATION", kCreateAllocationFields};
constexpr Layout kAllocationInfoLayout = {"D3DDDI_ALLOCATIONINFO", kAllocationInfoFields};
constexpr Layout kOpenResourceLayout = {"D3DKMT_OPENRESOURCE", kOpenResourceFields};
constexpr Layout kOpenAllocationInfoLayout = {"D3DDDI_OPENALLOCATIONINFO",
                                              kOpenAllocationInfoFields};
constexpr Layout kDestroyAllocationLayout = {"D3DKMT_DESTROYALLOCATION", kDestroyAllocationFields};
constexpr Layout kDestroyAllocation2Layout = {"D3DKMT_DESTROYALLOCATION2",
                                              kDestroyAllocation2Fields};
constexpr Layout kLockLayout = {"D3DKMT_LOCK", kLockFields};
constexpr Layout kUnlockLayout = {"D3DKMT_UNLOCK", kUnlockFields};
constexpr Layout kCreateSyncObjectLayout = {"D3DKMT_CREATESYNCHRONIZATIONOBJECT",
                                            kCreateSyncObjectFields};
constexpr Layout kWaitForSyncObjectLayout = {"D3DKMT_WAITFORSYNCHRONIZATIONOBJECT",
                                             kWaitForSyncObjectFields};
constexpr Layout kSignalSyncObjectLayout = {"D3DKMT_SIGNALSYNCHRONIZATIONOBJECT",
                                            kSignalSyncObjectFields};
constexpr Layout kSignalSyncObject2Layout = {"D3DKMT_SIGNALSYNCHRONIZATIONOBJECT2",
                                             kSignalSyncObject2Fields};
constexpr Layout kSubmitCommandLayout = {"D3DKMT_SUBMITCOMMAND", kSubmitCommandFields};
constexpr Layout kAllocationListLayout = {"D3DDDI_ALLOCATIONLIST", kAllocationListFields};
constexpr Layout kPatchLocationListLayout = {"D3DDDI_PATCHLOCATIONLIST", kPatchLocationListFields};

namespace {

constexpr const Layout* kLayouts[] = {&kRenderLayout,
                                      &kCreateDeviceLayout,
                                      &kDestroyDeviceLayout,
                                      &kCreateContextLayout,
                                      &kDestroyContextLayout,
                                      &kCreateAllocationLayout,
                                      &kAllocationInfoLayout,
                                      &kOpenResourceLayout,
                                      &kOpenAllocationInfoLayout,
                                      &kDestroyAllocationLayout,
                                      &kDestroyAllocation2Layout,
                                      &kLockLayout,
                                      &kUnlockLayout,
                                      &kCreateSyncObjectLayout,
                                      &kWaitForSyncObjectLayout,
                                      &kSignalSyncObjectLayout,
                                      &kSignalSyncObject2Layout,
                                      &kSubmitCommandLayout,
                                      &kAllocationListLayout,
                                      &kPatchLocationListLayout};

static_assert(std::ranges::all_of(kLayouts, [](const Layout* layout) {
  return IsNaturallyLaidOut(*layout);
}));

// sizeof in a 64-bit and a 32-bit process, as documented.
constexpr bool HasSizes(const Layout& layout, uint32_t size64, uint32_t size32,
                        OsProfile profile = OsProfile::kWin10) {
  return layout.Size(PointerWidth::k64, profile) == size64 &&
         layout.Size(PointerWidth::k32, profile) == size32;
}
static_assert(HasSizes(kRenderLayout, 368, 336) &&
              HasSizes(kRenderLayout, 368, 336, OsProfile::kWin7));
static_assert(HasSizes(kRenderLayout, 344, 320, OsProfile::kVista));
static_assert(HasSizes(kCreateDeviceLayout, 64, 36));
static_assert(HasSizes(kCreateContextLayout, 96, 64) &&
              HasSizes(kCreateContextLayout, 88, 56, OsProfile::kVista));
static_assert(HasSizes(kCreateAllocationLayout, 72, 44) && HasSizes(kAllocationInfoLayout, 40, 24));
static_assert(HasSizes(kOpenResourceLayout, 72, 44) && HasSizes(kOpenAllocationInfoLayout, 24, 12));
static_assert(HasSizes(kDestroyAllocationLayout, 24, 16) &&
              HasSizes(kDestroyAllocation2Layout, 24, 20));
static_assert(HasSizes(kLockLayout, 48, 40) && HasSizes(kLockLayout, 40, 28, OsProfile::kVista));
static_assert(HasSizes(kUnlockLayout, 16, 12) && HasSizes(kCreateSyncObjectLayout, 76, 76));
static_assert(HasSizes(kWaitForSyncObjectLayout, 136, 136) &&
              HasSizes(kSignalSyncObjectLayout, 140, 140));
static_assert(HasSizes(kSignalSyncObject2Layout, 464, 464) &&
              HasSizes(kSubmitCommandLayout, 384, 368));
static_assert(HasSizes(kAllocationListLayout, 8, 8) && HasSizes(kPatchLocationListLayout, 24, 24));

}  // namespace

std::span<const Layout* const> AllLayouts() {
  return kLayouts;
}

uint64_t ReadField(Bytes raw, const LayoutField& field, PointerWidth width, uint32_t index) {
  const uint32_t size = SizeOf(field.type, width);
  const uint8_t* at = raw.data() + field.Offset(width) + size_t{index} * size;
  return size == 8 ? LoadU64(at) : LoadU32(at);
}

void WriteField(std::span<uint8_t> raw, const LayoutField& field, PointerWidth width,
                uint32_t index, uint64_t value) {
  const uint32_t size = SizeOf(field.type, width);
  uint8_t* at = raw.data() + field.Offset(width) + size_t{index} * size;
  if (size == 8) {
    Store(at, value);
  } else {
    Store(at, static_cast<uint32_t>(value));
  }
}

bool HasNonZeroPadding(Bytes raw, const Layout& layout, PointerWidth width) {
  size_t end = 0;  // of the field before
  const auto is_set = [](uint8_t byte) { return byte != 0; };
  for (const LayoutField& field : layout.fields) {
    if (field.End(width) > raw.size()) break;
    if (std::ranges::any_of(raw.subspan(end, field.Offset(width) - end), is_set)) return true;
    end = field.End(width);
  }
  return std::ranges::any_of(raw.subspan(end), is_set);
}

}  // namespace dp2trace::kmt
