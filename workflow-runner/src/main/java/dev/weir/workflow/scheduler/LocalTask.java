package dev.weir.workflow.scheduler;

/** A task and a host that has some of its input bytes. */
record LocalTask(String host, long bytes, TaskState task) {}
