package dev.weir.workflow.estimate;

/**
 * What a run takes, or what is left of it.
 *
 * @param seconds from the first task's start to the last one's end
 * @param commandSeconds of all commands together
 * @param workerSeconds of all workers together, idle or not
 * @param bytesRead by all tasks, from their own node or another
 * @param bytesMoved between nodes until the last task has ended
 * @param unknownTimes how many of them have neither a declared nor a measured time
 */
public record RunEstimate(
    double seconds,
    double commandSeconds,
    double workerSeconds,
    long bytesRead,
    long bytesMoved,
    int tasks,
    int unknownTimes) {}
