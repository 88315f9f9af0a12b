"""Lights and material: DP2-LIGHT-*."""

import math

from ..dp2 import dwords, floats, with_tail
from ..state_pairs import Pairs, Scene
from ..trace import NORMAL, XYZ

ENABLE, DISABLE, DATA = 0, 1, 2
POINT, SPOT, DIRECTIONAL, PARALLELPOINT = 1, 2, 3, 4
WHITE, BLACK = (1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0)
LAST_TO_PI = 3.1415927410125732  # the f32 next to pi
ABOVE_PI = 3.1415929794311523


def light(kind=POINT, **fields):
    """D3DLIGHT7."""
    value = {
        "diffuse": WHITE, "position": (0, 0, -1.0), "direction": (0, 0, 1.0), "range": 10.0,
        "attenuation": (1.0, 0, 0), "theta": 0.5, "phi": 1.0,
    }  # fmt: skip
    value.update(fields)
    return dwords(kind) + floats(
        value["diffuse"], BLACK, BLACK, value["position"], value["direction"], value["range"], 1.0,
        value["attenuation"], value["theta"], value["phi"])  # fmt: skip


def created(*indices, level=7, **fields):
    """A scene with lights."""
    return Scene(level, **fields).op("CREATELIGHT", *indices)


def data(**fields):
    """CREATELIGHT, then SETLIGHT DATA."""
    return created(0).op("SETLIGHT", with_tail(0, DATA, tail=light(**fields)), at=0).end()


def material(diffuse=WHITE, power=0.0):
    """SETMATERIAL."""
    return Scene(7).op("SETMATERIAL", (diffuse, BLACK, BLACK, BLACK, power), at=0).end()


def switches(p):
    """Creation and switching."""
    p.add("DP2-LIGHT-001", "light-1",
          lambda n: created(0).op("SETLIGHT", (n, ENABLE), at=0).end(), 1, 0)  # fmt: skip
    p.add("DP2-LIGHT-002", "light-0",
          lambda n: Scene(7).op("CREATELIGHT", 0, n, at=1).end(), 0, 1)  # fmt: skip
    p.add("DP2-LIGHT-003", "data-type-3",
          lambda v: created(0).op("SETLIGHT", (0, v), at=0).end(), 3, ENABLE)  # fmt: skip
    p.add("DP2-LIGHT-011", "index-65536",
          lambda n: Scene(7).op("CREATELIGHT", n, at=0).end(), 65536, 65535)  # fmt: skip
    p.add("DP2-LIGHT-012", "enabled-twice",
          lambda v: created(0).op("SETLIGHT", (0, ENABLE), (0, v), at=1).end(),
          ENABLE, DISABLE)  # fmt: skip
    p.add("DP2-LIGHT-012", "disabled-and-new",
          lambda v: created(0).op("SETLIGHT", (0, v), at=0).end(), DISABLE, ENABLE)  # fmt: skip

    def enabled(limit):
        return (created(0, 1, caps={"max_active_lights": limit})
                .op("SETLIGHT", (0, ENABLE), (1, ENABLE)).draw(XYZ | NORMAL).end())  # fmt: skip

    p.add("DP2-LIGHT-010", "two-of-one", enabled, 1, 2)


def values(p):
    """The data of lights and of the material."""
    p.add("DP2-LIGHT-004", "type-0", lambda v: data(kind=v), 0, POINT)
    p.add("DP2-LIGHT-004", "type-6", lambda v: data(kind=v), 6, DIRECTIONAL)
    p.add("DP2-LIGHT-005", "parallel-point", lambda v: data(kind=v), PARALLELPOINT, DIRECTIONAL)
    p.add("DP2-LIGHT-006", "diffuse", lambda v: data(diffuse=(v, 1.0, 1.0, 1.0)), math.nan, 1.0)
    p.add("DP2-LIGHT-006", "material",
          lambda v: material(diffuse=(v, 1.0, 1.0, 1.0)), math.inf, 1.0)  # fmt: skip
    p.add("DP2-LIGHT-006", "range-of-a-point-light",
          lambda kind: data(kind=kind, range=math.nan), POINT, DIRECTIONAL)  # fmt: skip
    p.add("DP2-LIGHT-007", "no-attenuation", lambda v: data(attenuation=(0, v, 0)), 0.0, 0.25)
    p.add("DP2-LIGHT-007", "negative-range", lambda v: data(range=v), -1.0, 0.0)
    p.add("DP2-LIGHT-008", "phi-above-pi", lambda v: data(kind=SPOT, phi=v), ABOVE_PI, LAST_TO_PI)
    p.add("DP2-LIGHT-008", "theta-above-phi", lambda v: data(kind=SPOT, theta=v), 1.25, 1.0)
    p.add("DP2-LIGHT-008", "negative-theta", lambda v: data(kind=SPOT, theta=v), -0.25, 0.0)
    p.add("DP2-LIGHT-009", "directional",
          lambda v: data(kind=DIRECTIONAL, direction=(0, 0, v)), 0.0, 1.0)  # fmt: skip
    p.add("DP2-LIGHT-013", "negative", lambda v: material(power=v), -1.0, 0.0)


def _pairs():
    p = Pairs()
    switches(p)
    values(p)
    return p


def cases():
    """Yields every Case."""
    return _pairs().broken


def accepted():
    """Yields (rule, name, Trace)."""
    return _pairs().legal
