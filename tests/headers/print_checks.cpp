// Prints C++ that compares our tables with one public Windows header: print_checks d3dhal|d3d8types|d3d9types
// A name that the header lacks is left out only where the list of exclusions says why.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "d3d/enums.h"
#include "d3d/formats.h"
#include "d3d/states.h"
#include "opcode/layouts.h"
#include "opcode/opcode.h"
#include "trace/events.h"

namespace {

using namespace dp2trace;  // NOLINT(google-build-using-namespace): one-file program

// A public header and the API generations that it describes.
struct Header {
  std::string_view name;
  std::string_view includes;
  uint8_t first_level;
  uint8_t last_level;

  bool Has(uint8_t first, uint8_t last) const { return first <= last_level && last >= first_level; }
};

constexpr Header kHeaders[] = {
    {"d3dhal",
     "#include <windows.h>\n#include <ddraw.h>\n#include <ddrawi.h>\n#include <d3dhal.h>\n", 6, 7},
    {"d3d8types", "#include <windows.h>\n#include <d3d8types.h>\n", 8, 8},
    {"d3d9types", "#include <windows.h>\n#include <d3d9types.h>\n", 9, d3d::kLevel9Ex},
};

// A name that cannot be checked, and why.
struct Exclusion {
  std::string_view header;  // empty = all
  std::string_view name;
  std::string_view reason;
};

constexpr std::string_view kDdiOnly = "known to drivers only";
constexpr std::string_view kFourCc = "a FOURCC that the API header does not name";

// clang-format off
constexpr Exclusion kExclusions[] = {
    {"d3dhal",    "D3DDP2OP_EXT",                        "the header skips 37"},
    {"d3dhal",    "D3DHAL_DP2EXT",                       "the header skips 37"},
    {"d3dhal",    "D3DDP2OP_SETCLIPPLANE",               "misspelt in the header: D3DPP2OP_SETCLIPPLANE"},
    {"d3dhal",    "D3DHAL_DP2SETCLIPPLANE",              "missing in the header"},
    {"d3dhal",    "D3DHAL_DP2WINFO.dvWNear",             "dwWNear in the header"},
    {"d3dhal",    "D3DHAL_DP2WINFO.dvWFar",              "dwWFar in the header"},
    {"d3dhal",    "D3DRENDERSTATE_EVICTMANAGEDTEXTURES", kDdiOnly},
    {"d3dhal",    "D3DRENDERSTATE_OLDALPHABLENDENABLE",  "a name of DirectX 5"},
    {"d3dhal",    "D3DRENDERSTATE_SCENECAPTURE",         kDdiOnly},
    {"d3dhal",    "DDPF_D3DFORMAT",                      kDdiOnly},
    {"",          "D3DSBT_NULL",                         kDdiOnly},
    {"",          "D3DWRAP_COORD3",                      "D3DWRAPCOORD_3 in the headers"},
    {"d3dhal",    "D3DWRAP_W",                           "missing in the header"},
    {"",          "D3DCLEAR_COMPUTERECTS",               kDdiOnly},
    {"",          "D3DRS_DELETERTPATCH",                 kDdiOnly},
    {"",          "D3DTSS_TEXTUREMAP",                   kDdiOnly},
    {"",          "D3DTSS_DISABLETEXTURECOLORKEY",       kDdiOnly},
    {"",          "D3DTSS_TEXTURECOLORKEYVAL",           kDdiOnly},
    {"d3d8types", "D3DRS_POSITIONDEGREE",                "POSITIONORDER in DirectX 8"},
    {"d3d8types", "D3DRS_NORMALDEGREE",                  "NORMALORDER in DirectX 8"},
    {"d3d8types", "D3DRECTPATCH_INFO.Degree",            "Order in DirectX 8"},
    {"d3d8types", "D3DTRIPATCH_INFO.Degree",             "Order in DirectX 8"},
    {"d3d8types", "D3DTSS_TCI_SPHEREMAP",                "missing in the header"},
    {"",          "D3DBASIS_CATMULL_ROM",                "D3DBASIS_INTERPOLATE in the headers"},
    {"",          "D3DVBF_1WEIGHT",                      "1WEIGHTS in DirectX 8 and 9"},
    {"",          "D3DLIGHT_PARALLELPOINT",              "a value of DirectX 6 and 7"},
    {"",          "D3DLIGHT_GLSPOT",                     "a value of DirectX 7"},
    {"d3d9types", "D3DRS_PATCHSEGMENTS",                 kDdiOnly},
    {"d3d9types", "D3DRS_MAXVERTEXSHADERINST",           kDdiOnly},
    {"d3d9types", "D3DRS_MAXPIXELSHADERINST",            kDdiOnly},
    {"",          "D3DFMT_S1D15",                        kDdiOnly},
    {"",          "D3DFMT_S8D24",                        kDdiOnly},
    {"",          "D3DFMT_X8D24",                        kDdiOnly},
    {"",          "D3DFMT_X4S4D24",                      kDdiOnly},
    {"",          "D3DFMT_ATI1",                         kFourCc},
    {"",          "D3DFMT_ATI2",                         kFourCc},
    {"",          "D3DFMT_NV12",                         kFourCc},
    {"",          "D3DFMT_YV12",                         kFourCc},
    {"",          "D3DFMT_DF16",                         kFourCc},
    {"",          "D3DFMT_DF24",                         kFourCc},
    {"",          "D3DFMT_INTZ",                         kFourCc},
    {"",          "D3DFMT_NULL",                         kFourCc},
};

// What the values of an enumeration are called in the headers; an empty prefix: not in that header.
struct Spelling {
  std::string_view type;  // EnumInfo::name
  std::string_view d3dhal;
  std::string_view d3d8types;
  std::string_view d3d9types;
  uint32_t shift = 0;  // of the value in the header
};

constexpr Spelling kSpellings[] = {
    {"D3DPRIMITIVETYPE",         "D3DPT_",             "D3DPT_",               "D3DPT_"},
    {"D3DZBUFFERTYPE",           "D3DZB_",             "D3DZB_",               "D3DZB_"},
    {"D3DFILLMODE",              "D3DFILL_",           "D3DFILL_",             "D3DFILL_"},
    {"D3DSHADEMODE",             "D3DSHADE_",          "D3DSHADE_",            "D3DSHADE_"},
    {"D3DCULL",                  "D3DCULL_",           "D3DCULL_",             "D3DCULL_"},
    {"D3DCMPFUNC",               "D3DCMP_",            "D3DCMP_",              "D3DCMP_"},
    {"D3DBLEND",                 "D3DBLEND_",          "D3DBLEND_",            "D3DBLEND_"},
    {"D3DBLENDOP",               "",                   "D3DBLENDOP_",          "D3DBLENDOP_"},
    {"D3DSTENCILOP",             "D3DSTENCILOP_",      "D3DSTENCILOP_",        "D3DSTENCILOP_"},
    {"D3DFOGMODE",               "D3DFOG_",            "D3DFOG_",              "D3DFOG_"},
    {"D3DMATERIALCOLORSOURCE",   "D3DMCS_",            "D3DMCS_",              "D3DMCS_"},
    {"D3DVERTEXBLENDFLAGS",      "D3DVBLEND_",         "D3DVBF_",              "D3DVBF_"},
    {"D3DANTIALIASMODE",         "D3DANTIALIAS_",      "",                     ""},
    {"D3DTEXTUREADDRESS",        "D3DTADDRESS_",       "D3DTADDRESS_",         "D3DTADDRESS_"},
    {"D3DTEXTUREFILTER",         "D3DFILTER_",         "",                     ""},
    {"D3DTEXTUREBLEND",          "D3DTBLEND_",         "",                     ""},
    {"R2",                       "R2_",                "R2_",                  "R2_"},
    {"D3DPATCHEDGESTYLE",        "",                   "D3DPATCHEDGE_",        "D3DPATCHEDGE_"},
    {"D3DDEGREETYPE",            "",                   "D3DORDER_",            "D3DDEGREE_"},
    {"D3DBASISTYPE",             "",                   "D3DBASIS_",            "D3DBASIS_"},
    {"D3DDEBUGMONITORTOKENS",    "",                   "D3DDMT_",              "D3DDMT_"},
    {"D3DWRAPCOORD",             "D3DWRAP_",           "D3DWRAP_",             "D3DWRAP_"},
    {"D3DCOLORWRITEENABLE",      "",                   "D3DCOLORWRITEENABLE_", "D3DCOLORWRITEENABLE_"},
    {"D3DTEXTUREOP",             "D3DTOP_",            "D3DTOP_",              "D3DTOP_"},
    {"D3DTA",                    "D3DTA_",             "D3DTA_",               "D3DTA_"},
    {"D3DTSS_TCI",               "D3DTSS_TCI_",        "D3DTSS_TCI_",          "D3DTSS_TCI_", 16},
    {"D3DTEXTURETRANSFORMFLAGS", "D3DTTFF_",           "D3DTTFF_",             "D3DTTFF_"},
    {"D3DTEXTUREMAGFILTER",      "D3DTFG_",            "",                     ""},
    {"D3DTEXTUREMINFILTER",      "D3DTFN_",            "",                     ""},
    {"D3DTEXTUREMIPFILTER",      "D3DTFP_",            "",                     ""},
    {"D3DTEXTUREFILTERTYPE",     "",                   "D3DTEXF_",             "D3DTEXF_"},
    {"D3DCLEAR",                 "D3DCLEAR_",          "D3DCLEAR_",            "D3DCLEAR_"},
    {"D3DTRIFLAG",               "D3DTRIFLAG_",        "",                     ""},
    {"RTPATCHFLAG",              "",                   "",                     ""},
    {"D3DLIGHTTYPE",             "D3DLIGHT_",          "D3DLIGHT_",            "D3DLIGHT_"},
    {"D3DHAL_SETLIGHT",          "D3DHAL_SETLIGHT_",   "",                     ""},
    {"D3DHAL_STATESET",          "D3DHAL_STATESET",    "",                     ""},
    {"D3DSTATEBLOCKTYPE",        "D3DSBT_",            "D3DSBT_",              "D3DSBT_"},
    {"DDRAWIPAL",                "DDRAWIPAL_",         "",                     ""},
    {"DDSCAPS2_CUBEMAP",         "DDSCAPS2_CUBEMAP_",  "",                     ""},
    {"DP2BLT",                   "",                   "",                     ""},
    {"D3DQUERYTYPE",             "",                   "",                     "D3DQUERYTYPE_"},
    {"D3DISSUE",                 "",                   "",                     "D3DISSUE_"},
    {"D3DCOMPOSERECTSOP",        "",                   "",                     "D3DCOMPOSERECTS_"},
    {"D3DDECLTYPE",              "",                   "D3DVSDT_",             "D3DDECLTYPE_"},
    {"D3DDECLMETHOD",            "",                   "",                     "D3DDECLMETHOD_"},
    {"D3DDECLUSAGE",             "",                   "",                     "D3DDECLUSAGE_"},
    {"D3DTRANSFORMSTATETYPE",    "D3DTRANSFORMSTATE_", "D3DTS_",               "D3DTS_"},
};
// clang-format on

const Spelling* FindSpelling(std::string_view type) {
  for (const Spelling& row : kSpellings) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

std::string_view PrefixIn(const Spelling& spelling, const Header& header) {
  if (header.name == "d3dhal") return spelling.d3dhal;
  return header.name == "d3d8types" ? spelling.d3d8types : spelling.d3d9types;
}

// "TEXTURE|COMPLEMENT" with a prefix before each part.
std::string WithPrefix(std::string_view prefix, std::string_view name) {
  std::string text(prefix);
  for (const char c : name) {
    text += c;
    if (c == '|') text += prefix;
  }
  return text;
}

class Printer {
 public:
  explicit Printer(const Header& header) : header_(header) {
    fmt::print("// Generated by print_checks {}.\n#include <cstddef>\n{}", header.name,
               header.includes);
  }

  const Header& Target() const { return header_; }

  void Value(std::string_view name, uint32_t value) {
    if (Skip(name)) return;
    fmt::print("static_assert(static_cast<unsigned>({}) == {:#x}u);\n", name, value);
  }

  // A plain structure (RECT, PALETTEENTRY, a number) is one value for us: at most its size is compared.
  void Struct(const opcode::StructDesc& layout) {
    const bool is_named = layout.spec_name[0] >= 'A' && layout.spec_name[0] <= 'Z';
    if (!is_named || !printed_.emplace(layout.spec_name).second || Skip(layout.spec_name)) return;
    fmt::print("static_assert(sizeof({}) == {});\n", layout.spec_name, layout.size);
    if (layout.plain) return;
    uint32_t offset = 0;
    for (const opcode::FieldDesc& field : layout.fields) {
      const std::string name = fmt::format("{}.{}", layout.spec_name, field.spec_name);
      if (!Skip(name)) {
        fmt::print("static_assert(offsetof({}, {}) == {});\n", layout.spec_name, field.spec_name,
                   offset);
      }
      offset += field.size();
    }
  }

 private:
  // Prints why a name is left out.
  bool Skip(std::string_view name) const {
    for (const Exclusion& row : kExclusions) {
      if (row.name != name || (!row.header.empty() && row.header != header_.name)) continue;
      fmt::print("// left out: {}: {}\n", name, row.reason);
      return true;
    }
    return false;
  }

  Header header_;
  std::set<std::string_view> printed_;
};

// False where nobody has said what the headers call the values.
bool PrintEnum(const EnumInfo& info, Printer& printer) {
  const Spelling* spelling = FindSpelling(info.name);
  if (spelling == nullptr) {
    fmt::print(stderr, "{}: add its spelling to kSpellings\n", info.name);
    return false;
  }
  const std::string_view prefix = PrefixIn(*spelling, printer.Target());
  if (prefix.empty()) return true;
  for (const EnumValue& row : info.values) {
    if (!printer.Target().Has(row.first_level, row.last_level)) continue;
    printer.Value(WithPrefix(prefix, row.name), row.value << spelling->shift);
  }
  return true;
}

void PrintStates(std::span<const d3d::StateInfo> states, std::string_view dx7_prefix,
                 std::string_view dx9_prefix, Printer& printer) {
  const bool is_dx7 = printer.Target().last_level <= 7;
  for (const d3d::StateInfo& state : states) {
    const std::string_view name = is_dx7 ? state.dx7_name : state.dx9_name;
    if (name.empty() || !printer.Target().Has(state.first_level, state.last_level)) continue;
    if (state.state_class == d3d::StateClass::kSampler && printer.Target().last_level >= 9)
      continue;  // D3DSAMP_ has own numbers
    printer.Value(fmt::format("{}{}", is_dx7 ? dx7_prefix : dx9_prefix, name), state.code);
  }
}

void PrintFormats(Printer& printer) {
  if (printer.Target().last_level < 8) return;
  for (const d3d::FormatInfo& format : d3d::AllFormats()) {
    if (!printer.Target().Has(format.first_level, format.last_level)) continue;
    printer.Value(fmt::format("D3DFMT_{}", format.name), static_cast<uint32_t>(format.format));
  }
}

// d3dhal.h of mingw-w64 ends with the operations of DirectX 7.
void PrintOperations(Printer& printer) {
  printer.Struct(opcode::layout::kCommandHeader);
  for (const opcode::OpInfo& op : opcode::AllOps()) {
    if (op.level > 7) continue;
    printer.Value(fmt::format("D3DDP2OP_{}", op.name), static_cast<uint32_t>(op.op));
    if (op.fixed != nullptr) printer.Struct(*op.fixed);
    if (op.record != nullptr) printer.Struct(*op.record);
    for (const opcode::TailDesc& tail : op.tails) {
      if (tail.element != nullptr) printer.Struct(*tail.element);
    }
  }
}

// The flag words of events that ddraw.h and d3dhal.h define.
void PrintEventFlags(Printer& printer) {
  for (const EnumInfo* info : {&trace::kDp2CallFlagNames, &trace::kSurfaceCapsNames,
                               &trace::kSurfaceCaps2Names, &trace::kSurfaceCaps3Names,
                               &trace::kSurfaceLockFlagNames, &trace::kDdPixelFormatFlagNames}) {
    for (const EnumValue& row : info->values)
      printer.Value(fmt::format("{}_{}", info->name, row.name), row.value);
  }
}

bool PrintChecks(const Header& header) {
  Printer printer(header);
  bool is_complete = true;
  for (const EnumInfo* info : d3d::AllEnums())
    is_complete &= PrintEnum(*info, printer);
  PrintStates(d3d::AllRenderStates(), "D3DRENDERSTATE_", "D3DRS_", printer);
  PrintStates(d3d::AllTextureStageStates(), "D3DTSS_", "D3DTSS_", printer);
  PrintFormats(printer);
  if (header.name == "d3dhal") {
    PrintOperations(printer);
    PrintEventFlags(printer);
  } else {
    printer.Struct(opcode::layout::kRectPatchInfo);
    printer.Struct(opcode::layout::kTriPatchInfo);
  }
  if (header.name == "d3d9types") printer.Struct(opcode::layout::kVertexElement9);
  return is_complete;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc == 2 ? argv[1] : "";
  for (const Header& header : kHeaders) {
    if (header.name != name) continue;
    return PrintChecks(header) ? 0 : 1;
  }
  fmt::print(stderr, "usage: print_checks d3dhal|d3d8types|d3d9types\n");
  return 2;
}
