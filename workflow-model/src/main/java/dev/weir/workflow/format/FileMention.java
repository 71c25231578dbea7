package dev.weir.workflow.format;

/**
 * A file as a workflow names it.
 *
 * @param name the name as written
 */
public record FileMention(String name, TextPlace place) {}
