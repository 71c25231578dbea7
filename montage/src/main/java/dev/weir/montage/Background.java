package dev.weir.montage;

/**
 * What the sky and the camera add to a tile besides stars: a tilted plane, different in each tile,
 * which the mosaic must take out again.
 *
 * @param level counts at the middle of the tile
 * @param slopeX counts a pixel along a row
 * @param slopeY counts a pixel from row to row
 */
record Background(double level, double slopeX, double slopeY) {

  /** The counts at a distance from the middle of the tile, in pixels. */
  double at(double dx, double dy) {
    return level + slopeX * dx + slopeY * dy;
  }
}
