package dev.weir.workflow.format;

/**
 * A file as a workflow names it.
 *
 * @param name the name as written
 * @param place where
 */
public record FileMention(String name, TextPlace place) {}
