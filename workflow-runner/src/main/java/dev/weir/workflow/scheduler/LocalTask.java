package dev.weir.workflow.scheduler;

/** A task on a host that holds some of its inputs' bytes. */
record LocalTask(String host, long bytes, TaskState task) {}
