"""The facts: their builders, and those that no trace of a driver can show."""

import re

from .scene import Scene

# facts of each section of the specification's list
COUNTS = {
    "L": 32, "F": 34, "G": 32, "S": 4, "O": 43, "M": 5, "C": 15, "X": 13, "P": 27, "B": 22, "T": 14,
    "K": 10, "N": 9, "D": 9, "V": 31,
}  # fmt: skip

BUILDERS = {}  # id -> [(file of the trace, text, tolerance, options of the scene, builder)]
OMITTED = {}  # id -> (text, reason)


LONGEST_NAME = 56  # characters of a name, without the id before it
# What says nothing in a name, and what a name cannot end with.
ARTICLES = {"a", "an", "the"}
OPEN_ENDS = {
    "all", "and", "are", "as", "at", "before", "behind", "between", "by", "do", "does", "each",
    "for", "from", "give", "has", "have", "in", "is", "it", "its", "makes", "no", "nor", "not",
    "of", "on", "one", "only", "or", "same", "so", "than", "that", "then", "they", "to", "when",
    "where", "whose", "with", "without",
}  # fmt: skip


def name_of(text):
    """What a fact says as the name of a file: its first words, in lower case with dashes."""
    plain = re.sub(r"\(.*?\)", " ", text.lower().replace("'", ""))
    words = [word for word in re.findall(r"[a-z0-9]+", plain) if word not in ARTICLES]
    while len("-".join(words)) > LONGEST_NAME:
        words.pop()
    while words[-1] in OPEN_ENDS:
        words.pop()
    return "-".join(words)


def fact(identity, tolerance=0, text=None, suffix="", name=None, **options):
    """Registers the builder of a fact, whose text is the builder's docstring unless given.

    The file of its trace is called by the id and `name`, or else the first words of the text. A suffix names a further trace of the same fact; options are those of the scene.
    """

    def register(builder):
        words = " ".join((text or builder.__doc__).split())
        rows = BUILDERS.setdefault(identity, [])
        start = rows[0][0] if rows else f"{identity.lower()}-{name or name_of(words)}"
        file = start + (f"-{suffix}" if suffix else "")
        rows.append((file, words, tolerance, options, builder))
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
