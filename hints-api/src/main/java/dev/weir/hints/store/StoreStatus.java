package dev.weir.hints.store;

import java.time.Duration;

/**
 * How current a store's index is.
 *
 * @param connected whether changes are being received
 * @param age the time since the index was last known to be up to date; zero while it is
 * @param version all changes up to this are in the index
 * @param sets the number of sets in the index
 * @param rules the number of rules in the index
 */
public record StoreStatus(boolean connected, Duration age, long version, int sets, int rules) {}
