package dev.weir.montage;

import java.io.IOException;
import java.nio.file.Path;
import nom.tam.fits.Fits;
import nom.tam.fits.FitsException;
import nom.tam.fits.ImageHDU;
import nom.tam.util.ArrayFuncs;

/**
 * How the pixels of two FITS images differ. Headers do not count, and a pixel without a value (NaN)
 * equals another without a value.
 *
 * @param identical whether every pixel of one equals the same pixel of the other
 * @param description the result in one line
 */
public record FitsComparison(boolean identical, String description) {
  /**
   * Compares the first images of two files.
   *
   * @throws IOException when one of them cannot be read or its first unit is not a plane of pixels;
   *     the message names it
   */
  public static FitsComparison compare(Path expected, Path actual) throws IOException {
    return compare(read(expected), read(actual));
  }

  private static FitsComparison compare(double[][] expected, double[][] actual) {
    if (expected.length != actual.length || width(expected) != width(actual)) {
      return new FitsComparison(
          false,
          "the images have different sizes: "
              + size(expected)
              + " and "
              + size(actual)
              + " pixels");
    }
    long pixels = (long) expected.length * width(expected);
    long different = 0;
    double greatest = 0;
    String first = "";
    for (int y = 0; y < expected.length; y++) {
      for (int x = 0; x < width(expected); x++) {
        double a = expected[y][x];
        double b = actual[y][x];
        if (a == b || (Double.isNaN(a) && Double.isNaN(b))) {
          continue;
        }
        different++;
        double difference = Math.abs(a - b);
        greatest =
            Math.max(greatest, Double.isNaN(difference) ? Double.POSITIVE_INFINITY : difference);
        if (first.isEmpty()) {
          // FITS counts from 1.
          first = "(" + (x + 1) + ", " + (y + 1) + "): " + b + " instead of " + a;
        }
      }
    }
    return different == 0
        ? new FitsComparison(true, "all " + pixels + " pixels are equal")
        : new FitsComparison(
            false,
            different
                + " of "
                + pixels
                + " pixels differ, the first at "
                + first
                + "; greatest difference "
                + greatest);
  }

  private static double[][] read(Path file) throws IOException {
    try (Fits fits = new Fits(file.toFile())) {
      if (fits.readHDU() instanceof ImageHDU image
          && image.getAxes() != null
          && image.getAxes().length == 2) {
        return (double[][]) ArrayFuncs.convertArray(image.getKernel(), double.class);
      }
    } catch (FitsException e) {
      throw new IOException("Cannot read " + file + " as a FITS file: " + e.getMessage(), e);
    }
    throw new IOException(file + " does not start with an image of two dimensions");
  }

  private static int width(double[][] image) {
    return image.length == 0 ? 0 : image[0].length;
  }

  private static String size(double[][] image) {
    return width(image) + " x " + image.length;
  }

  @Override
  public String toString() {
    return description;
  }
}
