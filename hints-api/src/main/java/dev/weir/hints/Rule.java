package dev.weir.hints;

/**
 * A hint for the files that match a pattern.
 *
 * @param pattern the files
 */
public record Rule(PathPattern pattern, Hint hint) {}
