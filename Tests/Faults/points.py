"""Finds the places of Swift sources at which an error can begin, and puts a call there that can be told to throw.

A place is the head of the body of a function, initialiser, accessor or closure that throws, or a call of Foundation that
does. The sources are those that `swift format` has laid out; what this reads wrongly the compiler refuses, for `try` in a
body that does not throw is an error.
"""

import bisect
import re

# Words after which the next brace at the same level opens their body.
CONTROL = {"if", "guard", "while", "for", "switch", "do", "catch", "else", "defer", "repeat"}
TYPES = {"struct", "enum", "class", "extension", "protocol", "actor"}
BODIES = {"func", "init", "deinit", "subscript", "var", "get", "set", "willSet", "didSet"}
TOKEN = re.compile(r"`?[A-Za-z_]\w*`?|[{}()\[\];=\n]")
SIGNATURE = re.compile(
    r"\s*(?:@\w+\s+)*(?:\[[^\]]*\]\s*)?(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|(?!for\b)\w+(?:\s*,\s*\w+)*)?\s*"
    r"(?:async\s+)?(?:throws(?:\((?P<error>[\w.]+)\))?\s*)?(?:->\s*[^\n{]+?\s)?\s*\bin\b"
)
# Calls of Foundation that throw, up to the argument or the receiver that a point can stand around.
FOREIGN = re.compile(
    r"(?P<receiver>FileManager\.default)(?=\.\w+\()"
    r"|(?:\b(?:Data|String)\(\s*contentsOf|\.write\(contentsOf|\bpropertyList\(from"
    r"|\bNSRegularExpression\(\s*pattern): "
    r"|\b\w*[eE]ncoder(?:\(\))?\.encode\(|\.parse\("
)


def masked(text):
    """The text with comments and the contents of strings blanked, character by character."""
    result = list(text)

    def blank(start, end):
        for index in range(start, end):
            if result[index] != "\n":
                result[index] = " "

    def string(start):
        """The end of the literal that begins at a place, whose interpolations may hold others."""
        hashes = 0
        while text[start + hashes] == "#":
            hashes += 1
        quote = '"""' if text.startswith('"""', start + hashes) else '"'
        closing, escape = quote + "#" * hashes, "\\" + "#" * hashes
        index = start + hashes + len(quote)
        while index < len(text):
            if text.startswith(escape + "(", index):
                index, depth = index + len(escape) + 1, 1
                while depth:
                    if re.match(r'#*"', text[index:]):
                        index = string(index)
                        continue
                    depth += {"(": 1, ")": -1}.get(text[index], 0)
                    index += 1
            elif text.startswith(escape, index):
                index += len(escape) + 1
            elif text.startswith(closing, index):
                return index + len(closing)
            else:
                index += 1
        raise ValueError("a string has no end")

    index = 0
    while index < len(text):
        if text.startswith("//", index):
            end = text.find("\n", index)
            end = len(text) if end < 0 else end
            blank(index, end)
        elif text.startswith("/*", index):
            end = text.index("*/", index) + 2
            blank(index, end)
        elif re.match(r'#*"', text[index : index + 4]):
            end = string(index)
            blank(index, end)
            # A literal is an operand, and not nothing.
            result[index] = "0"
        else:
            end = index + 1
        index = end
    return "".join(result)


class Brace:
    """A pair of braces, and what opens it."""

    def __init__(self, start, kind, parent, word):
        self.start, self.kind, self.parent, self.word = start, kind, parent, word
        self.end = None
        self.children = []
        self.catches_all = False


def braces(code):
    """The braces of a masked text in order, each with the word that it belongs to; `closure` where there is none."""
    found, stack, pending = [], [], [None]
    current = None
    for match in TOKEN.finditer(code):
        token, place = match.group(), match.start()
        before = code[:place].rstrip()[-1:]
        after = code[match.end() :].lstrip()
        if token in "([":
            stack.append(None)
            pending.append(None)
        elif token in ")]":
            stack.pop()
            pending.pop()
        elif token == "{":
            word = pending[-1]
            pending[-1] = None
            kind = word[0] if word else "closure"
            brace = Brace(place, kind, current, word[1] if word else place)
            if current:
                current.children.append(brace)
            found.append(brace)
            stack.append(brace)
            pending.append(None)
            current = brace
        elif token == "}":
            current.end = place
            current = current.parent
            stack.pop()
            pending.pop()
        elif token == "\n":
            # A declaration without a body ends with its line, unless the next one goes on with it.
            word = pending[-1]
            goes_on = re.match(r"\s*(?:\{|->|where\b|throws\b|async\b|rethrows\b)", code[place:])
            if word and word[0] in BODIES and not goes_on and before not in ",-:>&" and before:
                pending[-1] = None
            elif word and word[0] in BODIES and not goes_on and before == ">" and code[:place].rstrip()[-2:] != "->":
                pending[-1] = None
        elif token == "=":
            if pending[-1] and pending[-1][0] == "var" and code[place - 1 : place + 2] == " = ":
                pending[-1] = None
        elif before in (".", "`") or after[:1] == ":" and token not in ("default",):
            continue
        elif token in CONTROL:
            pending[-1] = (token, place)
        elif token in TYPES and re.match(r"\w+\s+`?[A-Za-z]", code[place:]):
            pending[-1] = (token, place)
        elif token in BODIES and not (pending[-1] and pending[-1][0] in CONTROL):
            if token in ("get", "set", "willSet", "didSet") and not re.match(r"\s*(?:\{|throws|async|\()", code[match.end() :]):
                continue
            if token == "init" and not re.match(r"[?<(]", code[match.end() :]):
                continue
            pending[-1] = (token, place)
    return found


def closing(code, start):
    """The place of the bracket that closes the one at a place."""
    depth = 0
    for index in range(start, len(code)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(code[index], 0)
        if depth == 0:
            return index
    raise ValueError("a bracket has no end")


def own_code(code, brace):
    """The code of a closure without that of closures and functions in it, and of what catches every error."""
    text = list(code[brace.start + 1 : brace.end])

    def blank(start, end):
        for index in range(start - brace.start - 1, end - brace.start - 1):
            text[index] = " "

    def visit(parent):
        for position, child in enumerate(parent.children):
            if child.kind in ("closure", "func", "init", "get"):
                blank(child.start, child.end)
            elif child.kind == "do" and catches_all(code, parent.children[position + 1 :]):
                blank(child.start, child.end)
            else:
                visit(child)

    visit(brace)
    return "".join(text)


def catches_all(code, followers):
    """Whether one of the clauses that follow a `do` takes every error."""
    for clause in followers:
        if clause.kind != "catch":
            return False
        if not code[clause.word + len("catch") : clause.start].strip():
            return True
    return False


def statements(code, start, end):
    """The statements of a body, each as its text, by the way the sources are laid out."""
    lines = code[start:end].split("\n")
    if len(lines) == 1:
        return [part for part in re.split(r";", lines[0]) if part.strip()]
    depth, indent, found = 0, None, []
    for line in lines:
        text = line.strip()
        if text and not text.startswith("#"):
            margin = len(line) - len(line.lstrip())
            begins = depth == 0 and not re.match(r"[.)\]}?:&|+]|->|else\b|catch\b|==|in\b", text)
            if begins and (indent is None or margin <= indent):
                indent = margin
                found.append("")
            if found:
                found[-1] += line + "\n"
        depth += sum({"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(byte, 0) for byte in line)
    return found


STATEMENT = re.compile(
    r"\s*(?:let|var|guard|while|for|return|throw|defer|func|do|repeat|struct|enum|continue|break)\b"
)


def returns_implicitly(code, start, end):
    """Whether a body is a single expression, to which a `return` has to be given when it is one no longer."""
    parts = statements(code, start, end)
    if len(parts) != 1 or STATEMENT.match(parts[0]):
        return False
    if re.match(r"\s*(?:if|switch)\b", parts[0]):
        return not re.search(r"\b(?:return|throw)\b", parts[0]) and "else" in parts[0] or bool(
            re.match(r"\s*switch\b", parts[0]) and not re.search(r"\breturn\b", parts[0])
        )
    return True


class Points:
    """The points of one file."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.code = masked(text)
        self.lines = [match.start() for match in re.finditer("\n", text)]
        self.insertions = []
        self.names = []
        self.skipped = []
        self.braces = braces(self.code)
        for brace in self.braces:
            if brace.kind in ("func", "init", "get", "subscript"):
                self.function(brace)
            elif brace.kind == "closure":
                self.closure(brace)
        self.foreign()

    def line(self, place):
        return bisect.bisect_left(self.lines, place) + 1

    def name(self, place, what):
        name = f"{self.path}:{self.line(place)} {what}"
        count = sum(1 for other in self.names if other == name or other.startswith(name + " #"))
        if count:
            name += f" #{count + 1}"
        self.names.append(name)
        return name

    def insert(self, place, text):
        self.insertions.append((place, text))

    def function(self, brace):
        head = self.code[brace.word : brace.start]
        what = re.match(r"func\s+(`?\w+`?|[^\s(<]+)", head)
        what = what.group(1).strip("`") if what else brace.kind
        # Function types among the parameters and in the result do not count.
        outer, index = [], 0
        while index < len(head):
            if head[index] in "([":
                index = closing(head, index)
                outer.append("()")
            else:
                outer.append(head[index])
            index += 1
        outer = "".join(outer).split("->")[0]
        clause = re.search(r"\b(rethrows|throws)\b", outer)
        if brace.kind == "get":
            what = self.property(brace) + ".get"
        if not clause:
            return
        if clause.group(1) == "rethrows":
            self.skipped.append(f"{self.path}:{self.line(brace.start)} {what}")
            return
        error = re.search(r"\bthrows\(([\w.]+)\)", head) if re.search(r"\bthrows\(\)", outer) else None
        gives = brace.kind == "get" or brace.kind == "func" and "->" in head[head.rfind("throws") :]
        self.head(brace, brace.start + 1, what, error and error.group(1), gives)

    def property(self, brace):
        owner = brace.parent
        name = re.match(r"(?:var|subscript)\s*(\w*)", self.code[owner.word :]) if owner else None
        return name.group(1) or "subscript" if name else "property"

    def closure(self, brace):
        signature = SIGNATURE.match(self.code, brace.start + 1, brace.end)
        start = signature.end() if signature else brace.start + 1
        error = signature.group("error") if signature else None
        if not error and not re.search(r"\btry\b(?![?!])", own_code(self.code, brace)):
            return
        self.head(brace, start, "closure", error, True)

    def head(self, brace, start, what, error, gives):
        if what == "closure":
            what = f"closure in {self.owner(brace)}"
        argument = f", as: {error}.self" if error else ""
        call = f" try FaultPoint.pass({quoted(self.name(brace.start, what))}{argument});"
        if gives and returns_implicitly(self.code, start, brace.end):
            call += " return"
        self.insert(start, call)

    def owner(self, brace):
        while brace.parent:
            brace = brace.parent
            if brace.kind == "func":
                return re.match(r"func\s+`?(\w+|[^\s(<]+)", self.code[brace.word :]).group(1)
            if brace.kind in ("init", "get", "subscript"):
                return brace.kind if brace.kind != "get" else self.property(brace)
            if brace.kind == "var":
                return re.match(r"var\s+(\w+)", self.code[brace.word :]).group(1)
        return "a property"

    def foreign(self):
        for match in FOREIGN.finditer(self.code):
            start = max(self.code.rfind(sign, 0, match.start()) for sign in "{};")
            before = self.code[start + 1 : match.start()].rsplit("\n\n")[-1]
            before = "\n".join(before.split("\n")[-2:])
            if not re.search(r"\btry\b[?!]?[^=]*$", before):
                continue
            if match.group("receiver"):
                place, end = match.span("receiver")
                what = re.match(r"\.\w+", self.code[end:]).group()
                what = "FileManager" + what
            else:
                place = end = match.end()
                depth = 0
                while depth > 0 or self.code[end] not in ",)":
                    depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(self.code[end], 0)
                    end += 1
                what = re.sub(r"\s+", "", match.group()).strip(".:(").replace("(", ".")
            self.insert(place, f"FaultPoint.passing({quoted(self.name(place, what))}, ")
            self.insert(end, ")")

    def rewritten(self, module):
        text = self.text
        for place, insertion in sorted(self.insertions, key=lambda item: item[0], reverse=True):
            text = text[:place] + insertion + text[place:]
        if self.insertions and module != "Rewind" and not re.search(r"^(?:@\w+ )?import Rewind$", text, re.M):
            text = re.sub(r"^import ", "import Rewind; import ", text, count=1, flags=re.M)
            if "import Rewind" not in text:
                text = "import Rewind; " + text
        return text


def quoted(name):
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
