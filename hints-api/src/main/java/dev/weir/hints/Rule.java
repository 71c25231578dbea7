package dev.weir.hints;

/**
 * A hint for the files that match a pattern.
 *
 * @param pattern the files
 * @param hint the hint
 */
public record Rule(PathPattern pattern, Hint hint) {}
