package dev.weir.hints;

/**
 * Which files get which advice.
 *
 * @param pattern the files
 * @param hint the advice
 */
public record Rule(PathPattern pattern, Hint hint) {}
