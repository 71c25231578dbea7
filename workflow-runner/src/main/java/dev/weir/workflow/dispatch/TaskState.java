package dev.weir.workflow.dispatch;

import dev.weir.workflow.model.Task;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A task and what became of it so far. */
final class TaskState {

  final Task task;
  final List<FileState> inputs;
  final List<FileState> outputs;
  final List<TaskState> after;
  final double rank;

  Status status = Status.WAITING;
  int attempts;
  int failures;
  int losses;
  long readyNumber;
  long readyMillis;
  long dispatchedMillis;

  /** Nodes where it failed: others are better. */
  final Set<String> failedNodes = new HashSet<>();

  /** Which version of each input the running attempt was given. */
  final Map<String, Integer> givenGenerations = new HashMap<>();

  TaskState(
      Task task,
      List<FileState> inputs,
      List<FileState> outputs,
      List<TaskState> after,
      double rank) {
    this.task = task;
    this.inputs = inputs;
    this.outputs = outputs;
    this.after = after;
    this.rank = rank;
  }

  enum Status {
    /** Something that it needs is missing. */
    WAITING,
    /** Only a worker is missing. */
    READY,
    RUNNING,
    DONE
  }

  String id() {
    return task.id();
  }

  boolean inputsAvailable() {
    return inputs.stream().allMatch(FileState::available)
        && after.stream().allMatch(before -> before.status == Status.DONE);
  }

  /** Ids of the outputs that HDFS does not hold. */
  List<String> missingOutputs() {
    return outputs.stream().filter(file -> !file.available()).map(file -> file.id).toList();
  }

  long localBytes(String host) {
    long bytes = 0;
    for (FileState input : inputs) {
      bytes += input.bytesOn(host);
    }
    return bytes;
  }

  void startAttempt(long now) {
    attempts++;
    status = Status.RUNNING;
    dispatchedMillis = now;
    givenGenerations.clear();
    for (FileState input : inputs) {
      givenGenerations.put(input.id, input.generation());
    }
  }

  void failedOn(String node) {
    failures++;
    failedNodes.add(node);
  }

  /** Whether the running attempt was given the file as it is now. */
  boolean wasGivenCurrent(FileState file) {
    Integer given = givenGenerations.get(file.id);
    return given != null && given == file.generation();
  }
}
