"""Lists the public symbols of symbol graphs, one per line.

`api.py FOLDER` prints the list. It reports symbols without documentation on standard error and then exits with status 1.
"""

import json
import sys
from pathlib import Path

# Conformances that the compiler adds, some of them only in some versions.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}


def lines(graph, undocumented):
    module = graph["module"]["name"]
    conformances = {}
    for relation in graph["relationships"]:
        target = relation.get("targetFallback", relation["target"]).removeprefix("Swift.")
        if relation["kind"] in ("conformsTo", "inheritsFrom") and target not in IMPLIED and not target.startswith("s:"):
            conformances.setdefault(relation["source"], set()).add(target)
    for symbol in graph["symbols"]:
        identifier = symbol["identifier"]["precise"]
        if "::SYNTHESIZED::" in identifier:
            continue
        path = ".".join([module, *symbol["pathComponents"]])
        declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
        adopted = [] if " : " in declaration else sorted(conformances.get(identifier, ()))
        access = "open " if symbol["accessLevel"] == "open" else ""
        yield f"{path}  {access}{' '.join(declaration.split())}{' : ' if adopted else ''}{', '.join(adopted)}"
        # The compiler synthesizes initializers from raw values.
        if "docComment" not in symbol and symbol["pathComponents"][-1] != "init(rawValue:)":
            undocumented.append(path)


def main():
    undocumented = []
    found = set()
    for file in sorted(Path(sys.argv[1]).glob("*.symbols.json")):
        found.update(lines(json.loads(file.read_text()), undocumented))
    print("\n".join(sorted(found)))
    for path in undocumented:
        print(f"api: {path} has no documentation", file=sys.stderr)
    return 1 if undocumented else 0


sys.exit(main())
