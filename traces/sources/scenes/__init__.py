"""Scenes that a person enjoys looking at: one feature each, 320x240 pixels.

Each function of a scene module takes a Stage and draws into it; its docstring is the marker text of
its trace.
"""

from . import lighting, surfaces, textures

SCENES = {
    "lit-textured-knot": lighting.lit_textured_knot,
    "columns-in-fog": lighting.columns_in_fog,
    "stencil-shadow": lighting.stencil_shadow,
    "mirror-ball": textures.mirror_ball,
    "bumpy-water": textures.bumpy_water,
    "plane-to-the-horizon": textures.plane_to_the_horizon,
    "teapot-of-patches": surfaces.teapot_of_patches,
}


def traces():
    """Yields (name, Trace)."""
    from .stage import Stage  # the operation table is loaded by now

    for name, scene in SCENES.items():
        stage = Stage(" ".join(scene.__doc__.split()))
        scene(stage)
        yield name, stage.end()
