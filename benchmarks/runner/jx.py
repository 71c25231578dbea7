"""Writes the commands of a workflow in WfFormat as rules for Makeflow: jx.py WORKFLOW.JSON > WORKFLOW.JX."""

import json
import shlex
import shutil
import sys


def rule(task, command):
    """Returns a rule that starts a program even if it is also a shell builtin ('true'), as a worker of Weir does."""
    program = shutil.which(command["program"]) or command["program"]
    return {
        "command": shlex.join([program] + command["arguments"]),
        "inputs": task["inputFiles"],
        "outputs": task["outputFiles"],
    }


def main():
    with open(sys.argv[1]) as file:
        workflow = json.load(file)["workflow"]
    commands = {run["id"]: run["command"] for run in workflow["execution"]["tasks"]}
    tasks = workflow["specification"]["tasks"]
    json.dump({"rules": [rule(task, commands[task["id"]]) for task in tasks]}, sys.stdout)


if __name__ == "__main__":
    main()
