package dev.weir.hints;

/** A hint for the files that match a pattern. */
public record Rule(PathPattern pattern, Hint hint) {}
