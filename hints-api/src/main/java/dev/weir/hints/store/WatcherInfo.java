package dev.weir.hints.store;

/**
 * Who watches the hints, and how far it has come.
 *
 * @param role what it is, {@link HintStore#ROLE_NAMENODE} for instance
 * @param host the name of the host that it runs on; empty when it does not say
 * @param process the id of its process; 0 when it does not say
 * @param version all changes up to it are in force there
 * @param session tells it from others on the same host
 */
public record WatcherInfo(String role, String host, long process, long version, String session) {}
