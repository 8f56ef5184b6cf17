"""What a folder holds, and how two of them differ."""
import csv
import io
import json
import re
import zlib

CLOCK_AND_MACHINE = ("seconds", "ended", "threads", "host")


def without_seconds(text):
    rows = list(csv.reader(io.StringIO(text)))
    if not rows or "seconds" not in rows[0]:
        return text
    column = rows[0].index("seconds")
    return "\n".join(",".join(row[:column] + row[column + 1:]) for row in rows)


def has_sum(path, claimed):
    if not path.exists():
        return False
    contents = path.read_bytes()
    return claimed == {"bytes": len(contents), "crc32": f"{zlib.crc32(contents):08x}"}


def summary(path):
    """Sums of files with times in them differ; that they are right does not."""
    fields = json.loads(path.read_text())
    for name in CLOCK_AND_MACHINE:
        fields.pop(name, None)
        fields.get("last", {}).pop(name, None)
    outputs = fields.get("outputs", {})
    for name in outputs:
        outputs[name] = has_sum(path.parent / name, outputs[name])
    return json.dumps(fields, indent=1)


def comparable(path):
    """The contents without what differs from day to day; of files that are not known here, that they are there."""
    if path.name == "metrics.csv":
        return without_seconds(path.read_text())
    if path.name == "summary.json":
        return summary(path)
    if path.name == "report.html":
        return re.sub(r'"made":"[^"]*"', "", path.read_text())
    if path.suffix in (".npy", ".csv", ".toml"):
        return path.read_bytes()
    return ""


def files(folder):
    return {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}


def results(folder):
    """By name, what must be equal in two folders of the same experiment. Checkpoints are means to that end: after a kill one
    more may be kept, and a part of one."""
    return {name: comparable(path) for name, path in files(folder).items()
            if path.suffix != ".partial" and path.parent.name != "checkpoints"}


def contents(folder):
    return {name: path.read_bytes() for name, path in files(folder).items()}


def snapshot(folder):
    """By name, every byte and the time it was written."""
    return {name: (path.read_bytes(), path.stat().st_mtime_ns) for name, path in files(folder).items()}


def difference(found, expected):
    """The first few names in which two of the above differ, in words; empty: none."""
    words = [f"{name} is {'missing' if name not in found else 'left over' if name not in expected else 'different'}"
             for name in sorted(found.keys() | expected.keys()) if found.get(name) != expected.get(name)]
    return ", ".join(words[:3]) + (f" and {len(words) - 3} more" if len(words) > 3 else "")
