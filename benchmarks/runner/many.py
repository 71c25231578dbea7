"""Writes a workflow of many tiny tasks: many.py noop|files COUNT DIRECTORY."""

import json
import os
import sys

kind, count, directory = sys.argv[1], int(sys.argv[2]), sys.argv[3]
tasks, files, runs = [], [], []
if kind == "files":
    os.mkdir(os.path.join(directory, "in"))
for i in range(count):
    inputs, outputs = [], []
    program, arguments = "true", []
    if kind == "files":
        # Work Queue creates no directories for outputs.
        inputs, outputs = [f"in/{i}"], [f"out-{i}"]
        program, arguments = "cp", [inputs[0], outputs[0]]
        files += [{"id": name, "sizeInBytes": 1024} for name in inputs + outputs]
        with open(os.path.join(directory, inputs[0]), "wb") as file:
            file.write(os.urandom(1024))
    tasks.append(
        {"name": kind, "id": f"t{i}", "parents": [], "children": [], "inputFiles": inputs, "outputFiles": outputs}
    )
    runs.append({"id": f"t{i}", "runtimeInSeconds": 0, "command": {"program": program, "arguments": arguments}})
workflow = {
    "specification": {"tasks": tasks, "files": files},
    "execution": {"makespanInSeconds": 0, "executedAt": "1970-01-01T00:00:00Z", "tasks": runs},
}
with open(os.path.join(directory, "many.json"), "w") as out:
    json.dump({"name": "many", "schemaVersion": "1.5", "workflow": workflow}, out)
