"""Prints the times of a run, in the same lines for both, for the table of 'compare':

  summary.py weir DIRECTORY       with run.json and the measures of 'run'
  summary.py makeflow DIRECTORY   with Work Queue's transactions and the measures of 'makeflow-wq'

The file 'measures' has a line 'name number' for each: begun and ended in seconds since the epoch; master, workers,
commands and machine in seconds of CPU time; memory of the master in KB; calls to the NameNode; and, for nodes with links,
the bytes that all nodes have sent.
"""

import json
import os
import re
import sys
from datetime import datetime


def seconds(text):
    """Returns a time of ISO 8601 as seconds since the epoch."""
    base, fraction = re.fullmatch(r"([^.Z]+)(\.\d+)?Z", text).groups()
    return datetime.fromisoformat(base + "+00:00").timestamp() + float(fraction or 0)


def span(text):
    """Returns a duration of ISO 8601 without days as seconds."""
    hours, minutes, rest = re.fullmatch(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?", text).groups()
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(rest or 0)


def weir(directory):
    """Returns the times of dispatch of all attempts, and the times at which their outputs were stored."""
    with open(os.path.join(directory, "run.json")) as file:
        run = json.load(file)
    phases = ("stage-in-local", "stage-in-remote", "run", "stage-out")
    begins = [seconds(task["dispatched"]) for task in run["tasks"]]
    ends = [begin + sum(span(task[phase]) for phase in phases) for begin, task in zip(begins, run["tasks"])]
    print(f"state: {run['state']}")
    return begins, ends


def makeflow(directory):
    """Returns the times at which tasks were sent to a worker, and those at which the manager had their outputs."""
    begins, ends = [], []
    with open(os.path.join(directory, "transactions")) as log:
        for line in log:
            words = line.split()
            if len(words) > 4 and words[2] == "TASK":
                if words[4] == "RUNNING":
                    begins.append(int(words[0]) / 1e6)
                elif words[4:6] == ["DONE", "SUCCESS"]:
                    ends.append(int(words[0]) / 1e6)
    print("state: SUCCEEDED")
    return begins, ends


def report(begins, ends, measures):
    begins.sort()
    ends.sort()
    count = len(ends)
    low, high = count // 10, count * 9 // 10
    print(f"attempts: {count}")
    print(f"tasks a second, from the first to the last: {count / (ends[-1] - begins[0]):.1f}")
    if ends[high] > ends[low]:
        print(f"tasks a second, the middle 80 %: {(high - low) / (ends[high] - ends[low]):.1f}")
    print(f"first task given to a worker after: {begins[0] - measures['begun']:.1f} s")
    print(f"last task done after: {ends[-1] - measures['begun']:.1f} s")
    print(f"from the first task to the last: {ends[-1] - begins[0]:.1f} s")
    print(f"command ended after: {measures['ended'] - measures['begun']:.1f} s")
    print(f"CPU time of the master, start included: {measures['master']:.1f} s")
    print(f"CPU time of the workers, start included: {measures['workers']:.1f} s")
    print(f"CPU time of their commands: {measures['commands']:.1f} s")
    print(f"CPU time of the whole machine: {measures['machine']:.1f} s")
    print(f"master: {measures['memory'] / 1024:.0f} MiB resident at most")
    if "calls" in measures:
        print(f"NameNode: {measures['calls'] / count:.1f} calls a task")
    if "sent" in measures:
        print(f"sent by all nodes: {measures['sent'] / 1e6:.1f} MB")


def main():
    kind, directory = sys.argv[1:]
    with open(os.path.join(directory, "measures")) as file:
        measures = {name: float(number) for name, number in (line.split() for line in file)}
    report(*{"weir": weir, "makeflow": makeflow}[kind](directory), measures)


if __name__ == "__main__":
    main()
