package dev.weir.hints.store;

import java.time.Duration;

/**
 * How well a store's own index is in step with what is written.
 *
 * @param connected whether changes are being heard of now
 * @param age how long ago the index was last known to be in step; zero while it is
 * @param version all changes up to it are in the index
 * @param sets how many sets the index has
 * @param rules how many rules the index has
 */
public record StoreStatus(boolean connected, Duration age, long version, int sets, int rules) {}
