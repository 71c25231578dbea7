package dev.weir.montage;

/**
 * One exposure of the survey.
 *
 * @param name the name of its FITS file without the ending
 * @param image its geometry
 * @param background what lies under its stars
 * @param noiseSeed starts the noise, so that tiles can be drawn in any order
 */
record Tile(String name, TanImage image, Background background, long noiseSeed) {

  String fileName() {
    return name + ".fits";
  }

  /** The file of this tile on the plane of the mosaic; {@link #areaOf} its coverage beside it. */
  String projected() {
    return "p_" + name + ".fits";
  }

  /** The file of this tile with its background taken out. */
  String corrected() {
    return "c_" + name + ".fits";
  }

  /** Where Montage keeps how much of each pixel of {@code image} is covered. */
  static String areaOf(String image) {
    return image.substring(0, image.length() - ".fits".length()) + "_area.fits";
  }
}
