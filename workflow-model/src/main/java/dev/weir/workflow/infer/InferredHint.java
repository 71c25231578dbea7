package dev.weir.workflow.infer;

import dev.weir.hints.Rule;

/**
 * A rule and why it is given.
 *
 * @param rule the rule
 * @param reason one clause in words, for people
 */
public record InferredHint(Rule rule, String reason) {}
