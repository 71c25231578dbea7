package dev.weir.montage;

/**
 * A direction in the sky.
 *
 * @param rightAscension J2000, in degrees
 * @param declination J2000, in degrees
 */
record SkyPoint(double rightAscension, double declination) {}
