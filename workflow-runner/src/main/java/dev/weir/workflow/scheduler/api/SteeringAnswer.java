package dev.weir.workflow.scheduler.api;

/**
 * The answer to a {@link Steering} request.
 *
 * @param tasks how many tasks it changed; 0 when it changed none
 * @param text for the user, in one line
 */
public record SteeringAnswer(int tasks, String text) {}
