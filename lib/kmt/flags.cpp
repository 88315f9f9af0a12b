#include "kmt/flags.h"

#include <array>
#include <cstddef>

namespace dp2trace::kmt {
namespace {

// clang-format off
constexpr FlagRow kRenderRows[] = {
    {"ResizeCommandBuffer",     render_flag::kResizeCommandBuffer},
    {"ResizeAllocationList",    render_flag::kResizeAllocationList},
    {"ResizePatchLocationList", render_flag::kResizePatchLocationList},
    {"NullRendering",           render_flag::kNullRendering},
    {"PresentRedirected",       render_flag::kPresentRedirected},
    {"RenderKm",                render_flag::kRenderKm, 110},
    {"RenderKmReadback",        render_flag::kRenderKmReadback, 200},
};

// The page calls DisableGpuTimeout "the second bit"; the header has bit 2.
constexpr FlagRow kCreateDeviceRows[] = {
    {"LegacyMode",        0x1},
    {"RequestVSync",      0x2},
    {"DisableGpuTimeout", 0x4, 120},
};

constexpr FlagRow kCreateContextRows[] = {
    {"NullRendering",       0x01},
    {"InitialData",         0x02},
    {"DisableGpuTimeout",   0x04, 200},
    {"SynchronizationOnly", 0x08, 200},
    {"HwQueueSupported",    0x10, 230},
    {"NoKmdAccess",         0x20, 230},
};

constexpr FlagRow kCreateAllocationRows[] = {
    {"CreateResource",        create_allocation_flag::kCreateResource},
    {"CreateShared",          create_allocation_flag::kCreateShared},
    {"NonSecure",             0x000004},
    {"CreateProtected",       create_allocation_flag::kCreateProtected},
    {"RestrictSharedAccess",  0x000010},
    {"ExistingSysMem",        create_allocation_flag::kExistingSysMem},
    {"NtSecuritySharing",     create_allocation_flag::kNtSecuritySharing, 120},
    {"ReadOnly",              create_allocation_flag::kReadOnly, 120},
    {"CreateWriteCombined",   create_allocation_flag::kCreateWriteCombined, 120},
    {"CreateCached",          create_allocation_flag::kCreateCached, 120},
    {"SwapChainBackBuffer",   create_allocation_flag::kSwapChainBackBuffer, 120},
    {"CrossAdapter",          create_allocation_flag::kCrossAdapter, 130},
    {"OpenCrossAdapter",      create_allocation_flag::kOpenCrossAdapter, 130},
    {"PartialSharedCreation", 0x002000, 130},
    {"Zeroed",                0x004000, 130},  // out
    {"WriteWatch",            0x008000, 130},
    {"StandardAllocation",    create_allocation_flag::kStandardAllocation, 230},
    {"ExistingSection",       create_allocation_flag::kExistingSection, 230},
    {"AllowNotZeroed",        0x040000, 260},
    {"PhysicallyContiguous",  0x080000, 270},
    {"NoKmdAccess",           0x100000, 270},
    {"SharedDisplayable",     0x200000, 300},
};

constexpr FlagRow kAllocationInfoRows[] = {
    {"Primary", 0x1},
    {"Stereo",  0x2, 120},
};

constexpr FlagRow kDestroyAllocationRows[] = {
    {"AssumeNotInUse",     0x00000001, 200},
    {"SynchronousDestroy", 0x00000002, 200},
    {"SystemUseOnly",      0x80000000, 200},
};

constexpr FlagRow kLockRows[] = {
    {"ReadOnly",            lock_flag::kReadOnly},
    {"WriteOnly",           lock_flag::kWriteOnly},
    {"DonotWait",           0x004},
    {"IgnoreSync",          lock_flag::kIgnoreSync},
    {"LockEntire",          0x010},
    {"DonotEvict",          0x020},
    {"AcquireAperture",     lock_flag::kAcquireAperture},
    {"Discard",             lock_flag::kDiscard},
    {"NoExistingReference", lock_flag::kNoExistingReference},
    {"UseAlternateVA",      lock_flag::kUseAlternateVa},
    {"IgnoreReadSync",      lock_flag::kIgnoreReadSync},
};

constexpr FlagRow kSignalRows[] = {
    {"SignalAtSubmission", 0x1},
    {"EnqueueCpuEvent",    signal_flag::kEnqueueCpuEvent, 120},
    {"AllowFenceRewind",   0x4, 200},
};

constexpr FlagRow kPresentRows[] = {
    {"Blt",                 present_flag::kBlt},
    {"ColorFill",           present_flag::kColorFill},
    {"Flip",                present_flag::kFlip},
    {"FlipDoNotFlip",       present_flag::kFlipDoNotFlip},
    {"FlipDoNotWait",       present_flag::kFlipDoNotWait},
    {"FlipRestart",         present_flag::kFlipRestart},
    {"DstRectValid",        present_flag::kDstRectValid},
    {"SrcRectValid",        present_flag::kSrcRectValid},
    {"RestrictVidPnSource", present_flag::kRestrictVidPnSource},
    {"SrcColorKey",         present_flag::kSrcColorKey},
    {"DstColorKey",         present_flag::kDstColorKey},
    {"Rotate",              present_flag::kRotate},
};

constexpr FlagRow kSubmitRows[] = {
    {"NullRendering",     0x1, 200},
    {"PresentRedirected", 0x2, 200},
    {"NoKmdAccess",       0x4, 230},
};

constexpr EnumValue kClientHintValues[] = {
    {"UNKNOWN", 0}, {"OPENGL", 1}, {"CDD", 2}, {"OPENCL", 3}, {"VULKAN", 4}, {"CUDA", 5}, {"RESERVED", 6},
    {"DX7", 7}, {"DX8", 8}, {"DX9", 9}, {"DX10", 10}, {"DX11", 11}, {"DX12", 12}, {"9ON12", 13}, {"11ON12", 14},
    {"MFT_ENCODE", 15}, {"GLON12", 16}, {"CLON12", 17}, {"DML_TENSORFLOW", 18}, {"ONEAPI_LEVEL0", 19},
    {"DML_PYTORCH", 20},
};

constexpr EnumValue kSyncTypeValues[] = {
    {"SYNCHRONIZATION_MUTEX", 1}, {"SEMAPHORE", 2}, {"FENCE", 3}, {"CPU_NOTIFICATION", 4}, {"MONITORED_FENCE", 5},
    {"PERIODIC_MONITORED_FENCE", 6},
};

constexpr EnumValue kOfferPriorityValues[] = {{"NONE", 0}, {"LOW", 1}, {"NORMAL", 2}, {"HIGH", 3}, {"AUTO", 4}};

constexpr EnumValue kRenderKmOpValues[] = {
    {"BITBLT", 1}, {"COLORFILL", 2}, {"ALPHABLEND", 3}, {"STRETCHBLT", 4}, {"ESCAPE", 5}, {"TRANSPARENTBLT", 6},
    {"CLEARTYPEBLEND", 7},
};
// clang-format on

// True when no two flags share a bit.
constexpr bool AreDisjoint(std::span<const FlagRow> rows) {
  uint32_t seen = 0;
  for (const FlagRow& row : rows) {
    if (row.mask == 0 || (seen & row.mask) != 0) return false;
    seen |= row.mask;
  }
  return true;
}
static_assert(AreDisjoint(kRenderRows) && AreDisjoint(kCreateDeviceRows) &&
              AreDisjoint(kCreateContextRows));
static_assert(AreDisjoint(kCreateAllocationRows) && AreDisjoint(kAllocationInfoRows) &&
              AreDisjoint(kDestroyAllocationRows));
static_assert(AreDisjoint(kLockRows) && AreDisjoint(kSignalRows) && AreDisjoint(kPresentRows) &&
              AreDisjoint(kSubmitRows));

template <size_t kCount>
constexpr std::array<EnumValue, kCount> NamesOf(const FlagRow (&rows)[kCount]) {
  std::array<EnumValue, kCount> names{};
  for (size_t i = 0; i < kCount; ++i)
    names[i] = EnumValue{.name = rows[i].name, .value = rows[i].mask};
  return names;
}

constexpr auto kRenderNames = NamesOf(kRenderRows);
constexpr auto kCreateDeviceNames = NamesOf(kCreateDeviceRows);
constexpr auto kCreateContextNames = NamesOf(kCreateContextRows);
constexpr auto kCreateAllocationNames = NamesOf(kCreateAllocationRows);
constexpr auto kLockNames = NamesOf(kLockRows);
constexpr auto kSignalNames = NamesOf(kSignalRows);
constexpr auto kPresentNames = NamesOf(kPresentRows);
constexpr auto kSubmitNames = NamesOf(kSubmitRows);

}  // namespace

constinit const FlagTable kRenderFlags = {"D3DKMT_RENDERFLAGS", kRenderRows};
constinit const FlagTable kCreateDeviceFlags = {"D3DKMT_CREATEDEVICEFLAGS", kCreateDeviceRows};
constinit const FlagTable kCreateContextFlags = {"D3DDDI_CREATECONTEXTFLAGS", kCreateContextRows};
constinit const FlagTable kCreateAllocationFlags = {"D3DKMT_CREATEALLOCATIONFLAGS",
                                                    kCreateAllocationRows};
constinit const FlagTable kAllocationInfoFlags = {"D3DDDI_ALLOCATIONINFO", kAllocationInfoRows};
constinit const FlagTable kDestroyAllocationFlags = {"D3DDDICB_DESTROYALLOCATION2FLAGS",
                                                     kDestroyAllocationRows};
constinit const FlagTable kLockFlags = {"D3DDDICB_LOCKFLAGS", kLockRows};
constinit const FlagTable kSignalFlags = {"D3DDDICB_SIGNALFLAGS", kSignalRows};
constinit const FlagTable kPresentFlags = {"D3DKMT_PRESENTFLAGS", kPresentRows};
constinit const FlagTable kSubmitFlags = {"D3DKMT_SUBMITCOMMANDFLAGS", kSubmitRows};

std::span<const FlagTable* const> AllFlagTables() {
  static constexpr const FlagTable* kTables[] = {&kRenderFlags,         &kCreateDeviceFlags,
                                                 &kCreateContextFlags,  &kCreateAllocationFlags,
                                                 &kAllocationInfoFlags, &kDestroyAllocationFlags,
                                                 &kLockFlags,           &kSignalFlags,
                                                 &kPresentFlags,        &kSubmitFlags};
  return kTables;
}

constinit const EnumInfo kRenderFlagNames = {"D3DKMT_RENDERFLAGS", true, kRenderNames};
constinit const EnumInfo kCreateDeviceFlagNames = {"D3DKMT_CREATEDEVICEFLAGS", true,
                                                   kCreateDeviceNames};
constinit const EnumInfo kCreateContextFlagNames = {"D3DDDI_CREATECONTEXTFLAGS", true,
                                                    kCreateContextNames};
constinit const EnumInfo kCreateAllocationFlagNames = {"D3DKMT_CREATEALLOCATIONFLAGS", true,
                                                       kCreateAllocationNames};
constinit const EnumInfo kKmtLockFlagNames = {"D3DDDICB_LOCKFLAGS", true, kLockNames};
constinit const EnumInfo kSignalFlagNames = {"D3DDDICB_SIGNALFLAGS", true, kSignalNames};
constinit const EnumInfo kPresentFlagNames = {"D3DKMT_PRESENTFLAGS", true, kPresentNames};
constinit const EnumInfo kSubmitFlagNames = {"D3DKMT_SUBMITCOMMANDFLAGS", true, kSubmitNames};
constinit const EnumInfo kClientHintNames = {"D3DKMT_CLIENTHINT", false, kClientHintValues};
constinit const EnumInfo kSyncTypeNames = {"D3DDDI_SYNCHRONIZATIONOBJECT_TYPE", false,
                                           kSyncTypeValues};
constinit const EnumInfo kOfferPriorityNames = {"D3DDDI_OFFER_PRIORITY", false,
                                                kOfferPriorityValues};
constinit const EnumInfo kRenderKmOpNames = {"DXGK_RENDERKM_OPERATION", false, kRenderKmOpValues};

}  // namespace dp2trace::kmt
