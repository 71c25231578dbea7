package dev.weir.bench.shared;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.WorkerRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Creates the record of a run with all files on one server, for tables and plots.
 *
 * @param mode the mode in the record
 * @param server the node of the server, which holds all files
 * @param nodes those with a slot, also those that ran no task
 */
record SharedRunRecord(WorkflowGraph graph, String mode, String server, List<String> nodes) {

  RunRecord of(String id, List<FifoDispatcher.Execution> tasks, Instant begin, Instant end) {
    List<WorkerRecord> workers =
        nodes.stream()
            .map(node -> new WorkerRecord(worker(node), node, "/default-rack", begin, end))
            .toList();
    return new RunRecord(
        id,
        graph.workflow().name(),
        mode,
        RunState.SUCCEEDED,
        begin,
        end,
        workers,
        tasks.stream()
            .sorted(Comparator.comparing(FifoDispatcher.Execution::dispatched))
            .map(this::record)
            .toList());
  }

  private String worker(String node) {
    return mode + "-" + node;
  }

  private TaskRecord record(FifoDispatcher.Execution execution) {
    Task task = execution.task();
    long read = task.inputs().stream().mapToLong(input -> graph.bytesRead(task, input)).sum();
    long written = task.outputs().stream().mapToLong(id -> graph.file(id).sizeBytes()).sum();
    FifoDispatcher.Transfers transfers = execution.transfers();
    long remote = transfers.remoteBytes();
    Duration whole = Duration.between(execution.dispatched(), execution.ended());
    return TaskRecord.builder(task.id(), task.type(), 1)
        .worker(worker(execution.node()), execution.node())
        .outcome(Outcome.SUCCEEDED, 0)
        .times(execution.ready(), execution.dispatched())
        .phases(
            new TaskRecord.Phases(
                Duration.ZERO,
                transfers.stageIn(),
                whole.minus(transfers.stageIn()).minus(transfers.stageOut()),
                transfers.stageOut()))
        .traffic(new TaskRecord.Traffic(0, remote, written, written, read - remote))
        .files(
            task.inputs().stream().map(input -> file(input, graph.bytesRead(task, input))).toList(),
            task.outputs().stream().map(id -> file(id, graph.file(id).sizeBytes())).toList())
        .build();
  }

  private FileRecord file(String id, long bytes) {
    return new FileRecord(
        id, bytes, Checksum.UNKNOWN, Map.of(server, bytes), Map.of(), /* onNode= */ false);
  }
}
