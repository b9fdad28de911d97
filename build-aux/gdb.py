"""For gdb: how a Text, a Span and a Profile are printed, and the command `arena`.

    gdb -x build-aux/gdb.py --args ./collcost cost reduce -t full:8 -m 1MiB
"""

import gdb
import gdb.printing


def place(span):
    """NAME:LINE:COLUMN of a Span; the column counts bytes."""
    if not span["source"]:
        return "nowhere"
    source, offset = span["source"].dereference(), int(span["offset"])
    first, beyond = 0, int(source["line_count"])
    while beyond - first > 1:
        middle = (first + beyond) // 2
        if int(source["line_starts"][middle]) <= offset:
            first = middle
        else:
            beyond = middle
    start = int(source["line_starts"][first]) if beyond else 0
    return "%s:%d:%d" % (source["name"].string(), first + 1, offset - start + 1)


def string(chars, length):
    return '"%s"' % chars.string(errors="replace", length=int(length)) if length else '""'


def counts(value):
    """The numbers of a struct that are not zero, with their names."""
    numbers = [field.name for field in value.type.fields()
               if field.type.strip_typedefs().code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_FLT)]
    return ", ".join("%s %s" % (name, value[name]) for name in numbers if value[name] != 0)


class TextPrinter:
    """What it says, and where it comes from."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        text = self.value
        return "%s at %s" % (string(text["chars"], text["length"]), place(text["span"]))


class SpanPrinter:
    """Where it is, and what stands there."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        span = self.value
        if not span["source"]:
            return "nowhere"
        return "%s: %s" % (place(span), string(span["source"]["text"] + span["offset"], span["length"]))


class ProfilePrinter:
    """One line for each entry of a profile: how often it occurs, and the paths that may be its slowest."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "%d startups, %d transfers, %d chunks" % tuple(
            int(self.value[name]) for name in ("startups", "transfers", "chunks"))

    def children(self):
        for i in range(int(self.value["step_count"])):
            step = self.value["steps"][i]
            first = int(step["first_path"])
            paths = [self.value["paths"][first + n] for n in range(int(step["path_count"]))]
            yield "[%d]" % i, "%d x: combined %d, message %d, paths%s" % (
                int(step["repeat"]), int(step["combined"]), int(step["message"]),
                "".join(" (%s)" % counts(path) for path in paths))


class Arena(gdb.Command):
    """arena EXPRESSION: the chunks of an arena, newest first, and how much of them is used."""

    def __init__(self):
        super().__init__("arena", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        chunk = gdb.parse_and_eval("(%s)->newest" % argument)
        used = size = 0
        while chunk:
            print("chunk %s: %d of %d bytes" % (chunk, int(chunk["used"]), int(chunk["size"])))
            used += int(chunk["used"])
            size += int(chunk["size"])
            chunk = chunk["older"]
        print("used: %d of %d bytes" % (used, size))


printers = gdb.printing.RegexpCollectionPrettyPrinter("collcost")
printers.add_printer("Text", "^Text$", TextPrinter)
printers.add_printer("Span", "^Span$", SpanPrinter)
printers.add_printer("Profile", "^Profile$", ProfilePrinter)
gdb.printing.register_pretty_printer(gdb.current_objfile(), printers, replace=True)
Arena()
