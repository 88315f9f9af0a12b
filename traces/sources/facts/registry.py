"""The facts: their builders, and those that no trace of a driver can show."""

from .scene import Scene

# facts of each section of the specification's list
COUNTS = {
    "L": 32, "F": 32, "G": 32, "S": 4, "O": 42, "M": 4, "C": 14, "X": 13, "P": 27, "B": 22, "T": 14,
    "K": 9, "N": 9, "D": 9, "V": 30,
}  # fmt: skip

BUILDERS = {}  # id -> [(name of the trace, text, tolerance, options of the scene, builder)]
OMITTED = {}  # id -> (text, reason)


def fact(identity, tolerance=0, text=None, suffix="", **options):
    """Registers the builder of a fact, whose text is the builder's docstring unless given.

    A suffix names a further trace of the same fact; options are those of the scene.
    """

    def register(builder):
        name = identity.lower() + (f"-{suffix}" if suffix else "")
        words = " ".join((text or builder.__doc__).split())
        BUILDERS.setdefault(identity, []).append((name, words, tolerance, options, builder))
        return builder

    return register


def omit(identity, text, reason):
    """Lists a fact that has no trace."""
    OMITTED[identity] = (text, reason)


def build(identity, row):
    """The trace of a row of BUILDERS, and the lines of its .expected file."""
    _, text, tolerance, options, builder = row
    scene = Scene(f"{identity}: {text}", tolerance, **options)
    builder(scene)
    trace = scene.end()
    return trace, [f"# {identity}: {text}", *scene.lines]


def identities():
    """All facts in the order of the list; fails where one is missing or known twice."""
    known = [f"{section}{i}" for section, count in COUNTS.items() for i in range(1, count + 1)]
    found = set(BUILDERS) | set(OMITTED)
    if found != set(known) or set(BUILDERS) & set(OMITTED):
        raise SystemExit(f"facts that do not add up: {sorted(found ^ set(known))}")
    return known
