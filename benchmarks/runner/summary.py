"""Says how fast a run was: summary.py RUN.JSON BEGUN-MILLIS MASTER-KB NAMENODE-CALLS."""

import json
import re
import sys
from datetime import datetime


def seconds(text):
    """A moment of ISO 8601, as seconds since the epoch."""
    base, fraction = re.fullmatch(r"([^.Z]+)(\.\d+)?Z", text).groups()
    return datetime.fromisoformat(base + "+00:00").timestamp() + float(fraction or 0)


def span(text):
    """A duration of ISO 8601 without days, as seconds."""
    hours, minutes, rest = re.fullmatch(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?", text).groups()
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(rest or 0)


def main():
    with open(sys.argv[1]) as file:
        run = json.load(file)
    begun, memory, calls = float(sys.argv[2]) / 1000, int(sys.argv[3]), int(sys.argv[4])
    phases = ("stage-in-local", "stage-in-remote", "run", "stage-out")
    begins = sorted(seconds(task["dispatched"]) for task in run["tasks"])
    ends = sorted(seconds(task["dispatched"]) + sum(span(task[phase]) for phase in phases) for task in run["tasks"])
    count = len(ends)
    low, high = count // 10, count * 9 // 10
    print(f"{count} attempts, {run['state']}")
    print(f"tasks a second, from the first to the last: {count / (ends[-1] - begins[0]):.0f}")
    print(f"tasks a second, the middle 80 %: {(high - low) / (ends[high] - ends[low]):.0f}")
    print(f"first task after weir run: {begins[0] - begun:.1f} s")
    print(f"whole run: {seconds(run['ended']) - begun:.1f} s until the record")
    print(f"ApplicationMaster: {memory / 1024:.0f} MiB resident at most")
    print(f"NameNode: {calls / count:.1f} calls a task")


if __name__ == "__main__":
    main()
