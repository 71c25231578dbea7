package dev.weir.hints.client;

/**
 * The cluster for which hints of a workflow are inferred.
 *
 * @param directory the directory of the workflow's files
 * @param nodes how many nodes hold data and run tasks; 0 for the service's view
 * @param replication stock HDFS' number of replicas; 0 for the service's view
 */
public record InferQuery(String directory, int nodes, int replication) {}
