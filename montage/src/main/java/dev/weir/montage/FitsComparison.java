package dev.weir.montage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import nom.tam.fits.Fits;
import nom.tam.fits.FitsException;
import nom.tam.fits.ImageHDU;
import nom.tam.util.ArrayFuncs;
import org.jspecify.annotations.Nullable;

/**
 * How the pixels of two FITS images differ. Headers do not count, and a pixel without a value (NaN)
 * equals another without a value.
 */
public final class FitsComparison {

  private final String sizes;
  private final boolean sameSize;
  private final long pixels;
  private final long different;
  private final double maxDifference;
  private final @Nullable Difference first;

  private FitsComparison(double[][] expected, double[][] actual) {
    sameSize = expected.length == actual.length && width(expected) == width(actual);
    sizes = size(expected) + " and " + size(actual);
    pixels = (long) expected.length * width(expected);
    Tally tally = new Tally();
    if (sameSize) {
      for (int y = 0; y < expected.length; y++) {
        tally.row(y, expected[y], actual[y]);
      }
    }
    different = tally.different;
    maxDifference = tally.max;
    first = tally.first;
  }

  /**
   * Compares the first images of two files.
   *
   * @throws IOException when one of them cannot be read or its first unit is not a plane of pixels;
   *     the message names it
   */
  public static FitsComparison compare(Path expected, Path actual) throws IOException {
    return new FitsComparison(read(expected), read(actual));
  }

  /** Whether every pixel of one equals the same pixel of the other. */
  public boolean identical() {
    return sameSize && different == 0;
  }

  /** How many pixels the expected image has. */
  public long pixels() {
    return pixels;
  }

  /** How many pixels differ; 0 when the sizes differ already. */
  public long different() {
    return different;
  }

  /** The greatest difference between two pixels; infinite where only one of them has a value. */
  public double maxDifference() {
    return maxDifference;
  }

  /** The first pixel that differs, row by row from the bottom; empty when none or no size fits. */
  public Optional<Difference> first() {
    return Optional.ofNullable(first);
  }

  /** The result in one line. */
  @Override
  public String toString() {
    if (!sameSize) {
      return "the images have different sizes: " + sizes + " pixels";
    }
    if (first == null) {
      return "all " + pixels + " pixels are equal";
    }
    return String.format(
        "%d of %d pixels differ, the first at (%d, %d): %s instead of %s; greatest difference %s",
        different,
        pixels,
        first.column(),
        first.row(),
        first.actual(),
        first.expected(),
        maxDifference);
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

  /**
   * A pixel that differs.
   *
   * @param column counted from 1, as FITS counts
   * @param row counted from 1
   * @param expected its value in the first image
   * @param actual its value in the second
   */
  public record Difference(int column, int row, double expected, double actual) {}

  private static final class Tally {
    private long different;
    private double max;
    private @Nullable Difference first;

    void row(int y, double[] expected, double[] actual) {
      for (int x = 0; x < expected.length; x++) {
        double a = expected[x];
        double b = actual[x];
        if (a == b || (Double.isNaN(a) && Double.isNaN(b))) {
          continue;
        }
        different++;
        double difference = Math.abs(a - b);
        max = Math.max(max, Double.isNaN(difference) ? Double.POSITIVE_INFINITY : difference);
        if (first == null) {
          first = new Difference(x + 1, y + 1, a, b);
        }
      }
    }
  }
}
