"""Checks that sources, tests and documents use the vocabulary of Docs/Contributing.md, and prints every violation.

Each word below has a plainer one in its place. Words are looked for in text and in identifiers (`trackCount` contains
`track`). EXCEPTIONS names the files that need one of them, with the reason.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

WORDS = {
    "track": "recorded interaction, or sequential order",
    "tape": "cassette",
    "deck": "cassette session",
    "reel": "interaction list",
    "playhead": "position",
    "outline": "entry offsets",
    "course": "recording mode",
    "shelf": "folder",
    "tempo": "time scale",
    "shape": "format, pattern or transform",
    "door": "entry point or server",
    "tenant": "owner",
    "sieve": "Bloom filter",
    "glance": "format detector",
    "flavor": "kind",
    "keeping": "storing",
    "trouble": "problem",
    "mend": "fix",
    "story": "diagnosis",
    "anew": "again",
}
PHRASES = {
    "stands for": "represents, or means",
    "stand for": "represent, or mean",
    "is told": "is reported, or say to whom",
    "are told": "are reported",
    "be told": "be reported",
    "was told": "see above",
    "told of": "reported",
    "for ever": "on every later run",
    "ever after": "on every later run",
    "of another make": "of another tool",
    "to your measure": "customize",
    "is no value": "invalid value for",
    "what mends": "how to fix",
}
# The files that need a word: a path, or a folder with a slash at the end.
EXCEPTIONS = {
    "Tests/Integration/vocabulary.py": (None, "lists the words"),
    "Docs/Changelog.md": ({"track", "mend"}, "names what was renamed"),
    "Sources/Rewind/Rewind.docc/Comparison.md": ({"track"}, "Vinyl's tracks"),
    "Sources/Rewind/Rewind.docc/FromVinyl.md": ({"track"}, "Vinyl's tracks"),
    "Sources/Rewind/Rewind.docc/FromBeKindRewind.md": ({"playhead"}, "a property of BeKindRewind"),
    "Sources/RewindCLI/Showing/PageAssets.swift": ({"outline"}, "a property of CSS"),
}
FILES = ["README.md", "Docs", "Sources", "Tests", ".github"]
SKIPPED = re.compile(r"\.(har|json|yaml|yml|plist|tail|png|jpg|bin|body)$|^Tests/Apple/|^Tests/Promises/|/Files/|/Bodies/")

# A word with its common endings, as a whole word or as a part of an identifier.
ENDINGS = r"(?:s|es|d|ed|ing|ped|ped)?"
TEXT = re.compile(r"\b(?:" + "|".join(PHRASES) + r")\b", re.I)
# An argument label of the standard library.
FOREIGN = re.compile(r"keepingCapacity")


def parts(text):
    """The words of a line, identifiers split at capitals and underscores."""
    for found in re.finditer(r"[A-Za-z]+", text):
        for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", found.group()):
            yield part


def stem(part):
    """The listed word that a word is a form of."""
    part = part.lower()
    for ending in ("", "s", "es", "ed", "d", "ing"):
        word = part.removesuffix(ending) if ending else part
        if part.endswith(ending) and word in WORDS:
            return word
        if ending not in ("", "s") and part.endswith(ending) and word + "e" in WORDS:
            return word + "e"
    if part == "stories":
        return "story"
    return None


def allowed(path, word):
    for place, (words, _) in EXCEPTIONS.items():
        if path == place or place.endswith("/") and path.startswith(place):
            if words is None or word in words:
                return True
    return False


def main():
    listed = subprocess.run(["git", "ls-files", *FILES], cwd=ROOT, capture_output=True, text=True, check=True)
    found = 0
    for path in listed.stdout.splitlines():
        file = ROOT / path
        if SKIPPED.search(path) or not file.is_file():
            continue
        try:
            lines = file.read_text().splitlines()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(lines, 1):
            hits = [(stem(part), part) for part in parts(FOREIGN.sub("", line))]
            hits = [(word, part, WORDS[word]) for word, part in hits if word]
            hits += [(text.lower(), text, PHRASES[text.lower()]) for text in TEXT.findall(line)]
            for word, text, better in hits:
                if not allowed(path, word):
                    found += 1
                    print(f"{path}:{number}: '{text}' is not in the vocabulary; use {better}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
