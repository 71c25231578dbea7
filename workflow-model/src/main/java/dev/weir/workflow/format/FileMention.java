package dev.weir.workflow.format;

/**
 * A file as a workflow names it.
 *
 * @param name the name as written
 * @param place the place of the name
 */
public record FileMention(String name, TextPlace place) {}
