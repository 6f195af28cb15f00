"""Writes documents as YAML, in the layouts of several tools."""

from __future__ import annotations

import random
import re
from typing import Any

from .documents import TWIN

try:
    import yaml
except ImportError:
    yaml = None  # type: ignore[assignment]


def yaml_text(value: Any, rng: random.Random, tool: str) -> str:
    """A YAML text in a random layout of a tool."""

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            return True

        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
            super().increase_indent(flow, indentless and not is_indented)

    is_indented = tool == "go" or rng.random() < 0.3
    literal = rng.random() < (0.8 if tool == "go" else 0.3)

    style = rng.choice([None, None, None, "'", '"'])

    def name(dumper: Any, value: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", value.lstrip(TWIN))

    def text(dumper: Any, value: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, "|" if literal and "\n" in value else style)

    Dumper.add_representer(str, name)
    Dumper.add_representer(_Value, text)
    result = yaml.dump(
        _marked(value),
        Dumper=Dumper,
        sort_keys=False,
        width=rng.choice([80, 80, 40, 10_000]),
        indent=rng.choice([2, 4]),
        allow_unicode=rng.random() < 0.5,
        explicit_start=tool in ("ruby", "go") or rng.random() < 0.2,
    )
    if tool == "ruby":
        result = result.replace(": !!binary |", ": !binary |-")
    if rng.random() < 0.1:
        result = re.sub(r"(?m)^( +)(method:)", r"\1# a comment\n\1\2", result, count=1)
    return result


class _Value(str):
    """A text that is not the name of a member."""


def _marked(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _marked(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_marked(item) for item in value]
    return _Value(value) if isinstance(value, str) else value
