package dev.weir.workflow.infer;

import dev.weir.hints.Rule;

/**
 * A rule and the reason for it.
 *
 * @param reason one clause for users
 */
public record InferredHint(Rule rule, String reason) {}
