package dev.weir.montage;

/**
 * A rectangle of whole pixels, both ends included.
 *
 * @param left the first column
 * @param bottom the first row
 * @param right the last column
 * @param top the last row
 */
record PixelBox(int left, int bottom, int right, int top) {

  PixelBox {
    if (right < left || top < bottom) {
      throw new IllegalArgumentException(
          "Not a box: columns " + left + ".." + right + ", rows " + bottom + ".." + top);
    }
  }

  /** The smallest box whose pixels hold all of the points. */
  static PixelBox around(PixelPoint... points) {
    double left = Double.POSITIVE_INFINITY;
    double bottom = Double.POSITIVE_INFINITY;
    double right = Double.NEGATIVE_INFINITY;
    double top = Double.NEGATIVE_INFINITY;
    for (PixelPoint point : points) {
      left = Math.min(left, point.x());
      bottom = Math.min(bottom, point.y());
      right = Math.max(right, point.x());
      top = Math.max(top, point.y());
    }
    return new PixelBox(pixel(left), pixel(bottom), pixel(right), pixel(top));
  }

  private static int pixel(double coordinate) {
    return (int) Math.floor(coordinate + 0.5);
  }

  int width() {
    return right - left + 1;
  }

  int height() {
    return top - bottom + 1;
  }

  /** Whether the two share a pixel. */
  boolean overlaps(PixelBox other) {
    return left <= other.right && other.left <= right && bottom <= other.top && other.bottom <= top;
  }

  PixelBox union(PixelBox other) {
    return new PixelBox(
        Math.min(left, other.left),
        Math.min(bottom, other.bottom),
        Math.max(right, other.right),
        Math.max(top, other.top));
  }
}
