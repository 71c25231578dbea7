package dev.weir.workflow.dispatch;

/** A task on a host that holds some of its inputs' bytes. */
record Place(String host, long bytes, TaskState task) {}
