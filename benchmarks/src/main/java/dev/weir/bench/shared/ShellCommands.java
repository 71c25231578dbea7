package dev.weir.bench.shared;

import dev.weir.workflow.format.ShellCommand;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The commands of tasks whose files are on one server. Stand-ins read all inputs, sleep and write
 * zeros, in requests of 128 KiB, the most that the kernel passes to a FUSE file system.
 *
 * @param standIn whether stand-ins replace the commands of the workflow
 */
record ShellCommands(WorkflowGraph graph, boolean standIn) {
  /** Returns the shell command of a task. That of a stand-in is in one line. */
  String of(Task task) {
    return standIn ? standIn(task) : quoted(task.command());
  }

  /** Returns the bytes of its inputs. */
  long inputBytes(Task task) {
    return task.inputs().stream().mapToLong(input -> graph.bytesRead(task, input)).sum();
  }

  private String standIn(Task task) {
    StringBuilder script = new StringBuilder("set -e");
    if (!task.inputs().isEmpty()) {
      script.append("; cat -- ").append(quoted(task.inputs()));
    }
    if (task.runtimeSeconds() > 0) {
      script.append(String.format(Locale.ROOT, "; sleep %.3f", task.runtimeSeconds()));
    }
    for (String output : task.outputs()) {
      script
          .append("; dd if=/dev/zero bs=128K iflag=count_bytes status=none count=")
          .append(graph.file(output).sizeBytes())
          .append(" of=")
          .append(ShellCommand.quote(output));
    }
    return script.toString();
  }

  private static String quoted(List<String> words) {
    return words.stream().map(ShellCommand::quote).collect(Collectors.joining(" "));
  }
}
