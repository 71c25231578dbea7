package dev.weir.montage;

/**
 * A place in an image, counted as FITS counts: the centre of the first pixel is (1, 1).
 *
 * @param x along a row
 * @param y from row to row
 */
record PixelPoint(double x, double y) {}
