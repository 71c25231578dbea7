package dev.weir.service.runs;

/** The key of a run. Two users may have runs with the same id. */
record RunKey(String owner, String id) {}
