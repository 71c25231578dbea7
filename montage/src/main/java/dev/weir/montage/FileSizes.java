package dev.weir.montage;

/**
 * The sizes, in bytes, that the workflow declares. Those of images follow from their geometry, and
 * all of Montage's headers here fit one FITS block. Those of tables and of the picture are
 * estimates after what Montage 6.0 wrote; nothing depends on them but stand-in tasks and the
 * planning of placement.
 */
final class FileSizes {

  private static final long FITS_BLOCK = 2880;

  private FileSizes() {}

  /** Exact: an image with one header block. */
  static long image(int width, int height, int bytesPerPixel) {
    long pixels = (long) width * height * bytesPerPixel;
    return FITS_BLOCK + (pixels + FITS_BLOCK - 1) / FITS_BLOCK * FITS_BLOCK;
  }

  /**
   * Montage computes and stores in doubles; exact but for the outermost row and column, see {@link
   * Survey#footprints}.
   */
  static long montageImage(PixelBox box) {
    return image(box.width(), box.height(), Double.BYTES);
  }

  /** Estimates the size of mImgtbl's table. */
  static long imageTable(int images) {
    return 854 + 417L * images;
  }

  /** Estimates the size of mOverlaps' table. */
  static long overlapTable(int pairs) {
    return 158 + 75L * pairs;
  }

  /** Estimate: what mDiffFit says of one pair. */
  static long fit() {
    return 255;
  }

  /** Estimates the size of mConcatFit's table. */
  static long fitTable(int pairs) {
    return 209 + 208L * pairs;
  }

  /** Estimates the size of mBgModel's table. */
  static long corrections(int images) {
    return 56 + 55L * images;
  }

  /** Estimate: a grey picture of noise and stars packs to about this. */
  static long picture(TanImage region) {
    return (long) (0.6 * region.width() * region.height());
  }
}
