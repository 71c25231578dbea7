package dev.weir.hints.client;

/**
 * For what cluster the hints of a workflow are inferred.
 *
 * @param directory the directory that the workflow's files lie in
 * @param nodes how many nodes hold data and run tasks; 0 for what the service sees
 * @param replication how many replicas stock HDFS makes; 0 for what the service sees
 */
public record InferQuery(String directory, int nodes, int replication) {}
