package dev.weir.hints.store;

/**
 * A process that follows the hints.
 *
 * @param role its role, such as {@link HintStore#ROLE_NAMENODE}
 * @param host its host name; empty if unknown
 * @param process its process id; 0 if unknown
 * @param version all changes up to this are in effect there
 * @param session distinguishes processes on the same host
 */
public record WatcherInfo(String role, String host, long process, long version, String session) {}
