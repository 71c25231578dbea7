package dev.weir.service.runs;

/**
 * The key of a run. Two users may have runs with the same id.
 *
 * @param owner its owner
 * @param id its id
 */
record RunKey(String owner, String id) {}
