package dev.weir.service.runs;

/**
 * Names a run: two users may have runs of one id.
 *
 * @param owner whose it is
 * @param id what he calls it
 */
record RunKey(String owner, String id) {}
