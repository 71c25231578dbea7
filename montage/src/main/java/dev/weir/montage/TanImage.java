package dev.weir.montage;

/**
 * The geometry of an image in the tangent-plane (TAN, gnomonic) projection, as its FITS header
 * states it with CRVAL, CRPIX, CDELT and CROTA2. East is to the left.
 *
 * @param width NAXIS1, in pixels
 * @param height NAXIS2, in pixels
 * @param centre CRVAL: where the plane touches the sky
 * @param pixelDegrees the side of a pixel, in degrees
 */
record TanImage(
    int width,
    int height,
    SkyPoint centre,
    PixelPoint reference,
    double pixelDegrees,
    double rotationDegrees) {

  TanImage {
    if (width < 1 || height < 1) {
      throw new IllegalArgumentException("An image needs pixels, not " + width + " x " + height);
    }
    if (!(pixelDegrees > 0)) {
      throw new IllegalArgumentException("A pixel needs a size, not " + pixelDegrees + " degrees");
    }
  }

  /**
   * Where a point of the sky falls in this image; meaningless more than 90 degrees off the centre.
   */
  PixelPoint toPixel(SkyPoint point) {
    double ra = Math.toRadians(point.rightAscension() - centre.rightAscension());
    double dec = Math.toRadians(point.declination());
    double dec0 = Math.toRadians(centre.declination());
    double cosDistance =
        Math.sin(dec0) * Math.sin(dec) + Math.cos(dec0) * Math.cos(dec) * Math.cos(ra);
    double east = Math.toDegrees(Math.cos(dec) * Math.sin(ra) / cosDistance);
    double north =
        Math.toDegrees(
            (Math.cos(dec0) * Math.sin(dec) - Math.sin(dec0) * Math.cos(dec) * Math.cos(ra))
                / cosDistance);
    double cos = Math.cos(Math.toRadians(rotationDegrees));
    double sin = Math.sin(Math.toRadians(rotationDegrees));
    return new PixelPoint(
        reference.x() - (east * cos + north * sin) / pixelDegrees,
        reference.y() + (north * cos - east * sin) / pixelDegrees);
  }

  /** The point of the sky that a place in this image shows. */
  SkyPoint toSky(PixelPoint pixel) {
    double cos = Math.cos(Math.toRadians(rotationDegrees));
    double sin = Math.sin(Math.toRadians(rotationDegrees));
    double left = -pixelDegrees * (pixel.x() - reference.x());
    double up = pixelDegrees * (pixel.y() - reference.y());
    double east = Math.toRadians(left * cos - up * sin);
    double north = Math.toRadians(left * sin + up * cos);
    double dec0 = Math.toRadians(centre.declination());
    double depth = Math.cos(dec0) - north * Math.sin(dec0);
    double ra = Math.atan2(east, depth);
    double dec = Math.atan2((Math.sin(dec0) + north * Math.cos(dec0)) * Math.cos(ra), depth);
    return new SkyPoint(centre.rightAscension() + Math.toDegrees(ra), Math.toDegrees(dec));
  }

  /**
   * The pixels of {@code other} that this image touches. Straight lines stay straight from one
   * tangent plane to another, so the corners decide.
   */
  PixelBox footprintIn(TanImage other) {
    double right = width + 0.5;
    double top = height + 0.5;
    return PixelBox.around(
        other.toPixel(toSky(new PixelPoint(0.5, 0.5))),
        other.toPixel(toSky(new PixelPoint(right, 0.5))),
        other.toPixel(toSky(new PixelPoint(right, top))),
        other.toPixel(toSky(new PixelPoint(0.5, top))));
  }

  /** This image less its bottom row. */
  TanImage withoutFirstRow() {
    PixelPoint lower = new PixelPoint(reference.x(), reference.y() - 1);
    return new TanImage(width, height - 1, centre, lower, pixelDegrees, rotationDegrees);
  }
}
