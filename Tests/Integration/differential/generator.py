"""Makes files of every format from a seed: some unambiguous, others with odd values."""

from __future__ import annotations

import pathlib
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import (
    documents,
    generate_early,
    generate_har,
    generate_heads,
    generate_plists,
    generate_seeds,
    generate_vcr,
    yaml_layouts,
)
from .model import Exchange
from .samples import Sample, sample

# An item of a document, such as an entry, and what it says: several interactions for one with redirects; none if it
# need not be readable.
Item = tuple[Any, list[Exchange]]


@dataclass
class Variant:
    """A file, and what it says where that is beyond doubt."""

    suffix: str
    data: bytes = b""
    # What the file says, by position; other interactions need not be readable.
    truth: dict[int, Exchange] = field(default_factory=dict)
    # The number of interactions; None if it is not known.
    count: int | None = None
    notes: list[str] = field(default_factory=list)
    # The body files, by their paths.
    files: dict[str, bytes] = field(default_factory=dict)


def variant(name: str) -> Variant:
    """The file with a name, such as `har/2026-11-22/7`: the same each time."""
    return FORMATS[name.split("/")[0]](random.Random(name))


def needs_yaml(format: str) -> bool:
    return format in generate_vcr.TOOLS and generate_vcr.TOOLS[format].is_yaml


def write(made: Variant, path: pathlib.Path) -> pathlib.Path:
    path = path.with_name(path.name + made.suffix)
    path.write_bytes(made.data)
    for name, data in made.files.items():
        file = path.parent / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)
    return path


def _single(pair: tuple[Any, Exchange | None]) -> Item:
    return pair[0], [] if pair[1] is None else [pair[1]]


def _items(
    result: Variant, rng: random.Random, make: Callable[[Sample, int], Item], spoil: Callable[[Any], str] | None
) -> list[Any]:
    """Items, of which half are changed; sets what the file says."""
    items: list[Any] = []
    position = 0
    for number in range(rng.choice([0, 1, 2, 3, 4, 4, 4])):
        item, truth = make(sample(rng), number)
        change = rng.random()
        if change < 0.25:
            result.notes.append(f"{number + 1}: {documents.changed(item, rng)}")
            truth = []
        elif change < 0.4 and "method" in item.get("request", ()):
            result.notes.append(f"{number + 1}: {documents.spoiled_head(item, rng)}")
            truth = []
        elif change < 0.5 and spoil is not None:
            result.notes.append(f"{number + 1}: {spoil(item)}")
            truth = []
        for offset, exchange in enumerate(truth):
            result.truth[position + offset] = exchange
        position += len(truth) or 1
        items.append(item)
    result.count = position
    return items


def _cut(result: Variant, rng: random.Random) -> None:
    """Cuts a few files off."""
    if rng.random() < 0.03 and result.data:
        result.data = result.data[: rng.randrange(len(result.data))]
        result.truth = {}
        result.notes.append("cut off")


def _finish(result: Variant, text: str, rng: random.Random, final_newline: bool = True) -> Variant:
    result.data = documents.laid_out(text, rng, final_newline=final_newline)
    _cut(result, rng)
    return result


def _har(rng: random.Random) -> Variant:
    result = Variant(".har")
    items = _items(
        result,
        rng,
        lambda made, number: _single(generate_har.entry(made, rng, result.files)),
        lambda item: generate_har.spoiled_text(item, rng),
    )
    items = [documents.shuffled(item, rng) if rng.random() < 0.3 else item for item in items]
    return _finish(result, documents.json_text(generate_har.archive(items, rng), rng), rng)


def _vcr(name: str) -> Callable[[random.Random], Variant]:
    tool = generate_vcr.TOOLS[name]

    def made(rng: random.Random) -> Variant:
        result = Variant(".yaml" if tool.is_yaml else ".json")
        items = _items(
            result,
            rng,
            lambda made, number: _single(generate_vcr.interaction(tool, made, rng)),
            lambda item: generate_vcr.spoiled_text(item, rng),
        )
        if not (tool.is_yaml and not tool.after):
            items = [documents.shuffled_members(item, rng) if rng.random() < 0.3 else item for item in items]
        root = generate_vcr.document(tool, items)
        if not tool.is_yaml:
            return _finish(result, documents.json_text(root, rng), rng)
        _finish(result, yaml_layouts.yaml_text(root, rng, name.split("-")[0]), rng)
        if result.data.count(b"\r") > result.data.count(b"\r\n"):
            result.truth = {}
        is_last_changed = any(note.startswith(f"{len(items)}:") for note in result.notes)
        if not tool.after and (is_last_changed or not result.data.endswith(b"\n")):
            # The end of the list shows whether the file was cut off.
            result.truth = {}
        return result

    return made


def _forget_if_undetected(result: Variant) -> None:
    """Arrays of interactions are detected by the first one, so that all are in doubt if that one was changed."""
    if any(note.startswith("1:") for note in result.notes):
        result.truth = {}


def _early(rng: random.Random) -> Variant:
    result = Variant(".json")
    items = _items(result, rng, lambda made, number: _single(generate_early.item(made, rng)), None)
    _forget_if_undetected(result)
    return _finish(result, documents.json_text(items, rng), rng)


def _dvr(is_dvr: bool) -> Callable[[random.Random], Variant]:
    def made(rng: random.Random) -> Variant:
        result = Variant(".json")
        items = _items(result, rng, lambda made, number: _single(generate_seeds.interaction(made, is_dvr, rng)), None)
        if not is_dvr:
            _forget_if_undetected(result)
        items = [documents.shuffled_members(item, rng) if rng.random() < 0.3 else item for item in items]
        text = documents.json_text(generate_seeds.document(items, is_dvr), rng)
        if not is_dvr and rng.random() < 0.3:
            text = documents.with_trailing_commas(text, rng)
        return _finish(result, text, rng)

    return made


def _laserdisc(rng: random.Random) -> Variant:
    result = Variant(".json")
    items = _items(result, rng, lambda made, number: _single(generate_seeds.disc_entry(made, rng)), None)
    items = [documents.shuffled_members(item, rng) if rng.random() < 0.3 else item for item in items]
    return _finish(result, documents.json_text({"entries": items}, rng), rng)


def _bkr(rng: random.Random) -> Variant:
    result = Variant(".plist")
    items = _items(result, rng, lambda made, number: generate_plists.scene(made, number, rng), None)
    if result.notes:
        # A change may remove a redirect, and so move the interactions after it.
        result.count, result.truth = None, {}
    text = generate_plists.text(generate_plists.bkr_document(items), rng)
    return _finish(result, text, rng)


def _jszvcr(rng: random.Random) -> Variant:
    result = Variant(".plist")
    items = _items(result, rng, lambda made, number: _single(generate_plists.jszvcr_item(made, rng)), None)
    return _finish(result, generate_plists.text(items, rng), rng)


def _head(make: Callable[[Sample, random.Random], tuple[bytes, list[Exchange]]], suffix: str) -> Any:
    def made(rng: random.Random) -> Variant:
        result = Variant(suffix)
        result.data, truth = make(sample(rng), rng)
        result.truth, result.count = dict(enumerate(truth)), len(truth) or None
        _cut(result, rng)
        return result

    return made


FORMATS: dict[str, Callable[[random.Random], Variant]] = {
    "har": _har,
    "vcrpy-0": _early,
    "dvr": _dvr(True),
    "vinyl": _dvr(False),
    "laserdisc": _laserdisc,
    "bkr": _bkr,
    "jszvcr": _jszvcr,
    "mocktail": _head(generate_heads.mocktail, ".tail"),
    "curl": _head(generate_heads.curl, ".response"),
} | {name: _vcr(name) for name in generate_vcr.TOOLS}
