package dev.weir.workflow.scheduler.api;

/**
 * A worker and its location.
 *
 * @param id unique in the run
 * @param node host name of its node, as HDFS and YARN know it
 */
public record WorkerInfo(String id, String node, String rack) {}
