package dev.weir.montage;

/**
 * A star of the synthetic sky.
 *
 * @param place where it stands
 * @param flux all its counts together
 */
record Star(SkyPoint place, double flux) {}
