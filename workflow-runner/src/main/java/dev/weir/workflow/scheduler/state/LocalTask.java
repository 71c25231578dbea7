package dev.weir.workflow.scheduler.state;

/** A task and a host that has some of its input bytes. */
public record LocalTask(String host, long bytes, TaskState task) {}
