"""Writes small files and a workflow that reads them: staging.py write COUNT BYTES DIRECTORY, staging.py report RUN.JSON."""

import json
import os
import sys

from summary import span

# The first task includes the warm-up of the worker's JVM. The second and third read the same files, the third from the
# cache unless the files are tiny.
TASKS = {"first task": "one", "second": "both", "third, the same files": "both"}


def write(count, size, directory):
    tasks, runs, sizes, before = [], [], {}, []
    for name in ("one", "both"):
        os.mkdir(os.path.join(directory, name))
        for i in range(count):
            sizes[f"{name}/fit.{i:06}.txt"] = size
            with open(os.path.join(directory, name, f"fit.{i:06}.txt"), "wb") as file:
                file.write(os.urandom(size))
    for number, (name, inputs) in enumerate(TASKS.items()):
        selected = [file for file in sizes if file.startswith(inputs + "/")]
        output = f"count{number}"
        task = {"name": name, "id": f"t{number}", "parents": before, "children": []}
        tasks.append(task | {"inputFiles": selected + [t["outputFiles"][0] for t in tasks[-1:]], "outputFiles": [output]})
        command = {"program": "sh", "arguments": ["-c", f"ls {inputs} | wc -l > {output}"]}
        runs.append({"id": f"t{number}", "runtimeInSeconds": 0, "command": command})
        before = [f"t{number}"]
    for i, task in enumerate(tasks[:-1]):
        task["children"] = [tasks[i + 1]["id"]]
    files = [{"id": name, "sizeInBytes": size} for name, size in sizes.items()]
    files += [{"id": f"count{i}", "sizeInBytes": 5} for i in range(len(TASKS))]
    workflow = {
        "specification": {"tasks": tasks, "files": files},
        "execution": {"makespanInSeconds": 0, "executedAt": "1970-01-01T00:00:00Z", "tasks": runs},
    }
    with open(os.path.join(directory, "staging.json"), "w") as out:
        json.dump({"name": "staging", "schemaVersion": "1.5", "workflow": workflow}, out)


def report(path):
    with open(path) as file:
        run = json.load(file)
    for task in sorted(run["tasks"], key=lambda task: task["dispatched"]):
        took = span(task["stage-in-local"]) + span(task["stage-in-remote"])
        where = ", ".join(f"{task.get('input-bytes-' + kind, 0)} bytes {kind}" for kind in ("local", "remote", "cached"))
        print(f"{list(TASKS)[int(task['task'][1:])]}: {took:.2f} s ({where})", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    else:
        report(sys.argv[2])
