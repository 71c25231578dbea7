package dev.weir.workflow.scheduler;

/**
 * What came of a {@link Steering}.
 *
 * @param tasks how many tasks it was about; 0 when nothing was done
 * @param text for a person, in one line
 */
public record SteeringAnswer(int tasks, String text) {}
