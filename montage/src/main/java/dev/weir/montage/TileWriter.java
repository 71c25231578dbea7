package dev.weir.montage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import nom.tam.fits.Fits;
import nom.tam.fits.FitsException;
import nom.tam.fits.ImageData;
import nom.tam.fits.ImageHDU;

/** Draws tiles: background, stars as round Gaussians, noise; stored as 32-bit floats. */
final class TileWriter {

  /** Of a star's image, in pixels: seeing of 2.8 pixels at half height. */
  private static final double SIGMA = 1.2;

  private static final int REACH = 8;
  private static final double NOISE = 1.5;

  private final List<Star> stars;

  TileWriter(List<Star> stars) {
    this.stars = List.copyOf(stars);
  }

  /** Writes {@code tile} into {@code directory} under its name, over an older one. */
  void write(Tile tile, Path directory) throws IOException {
    Path file = directory.resolve(tile.fileName());
    try (Fits fits = new Fits()) {
      ImageHDU hdu = ImageData.from(draw(tile)).toHDU();
      hdu.getHeader().addValue("OBJECT", tile.name(), "synthetic sky");
      FitsKeywords.addProjection(tile.image(), hdu.getHeader());
      fits.addHDU(hdu);
      fits.write(file.toFile());
    } catch (FitsException e) {
      throw new IOException("Cannot write " + file, e);
    }
  }

  private float[][] draw(Tile tile) {
    TanImage image = tile.image();
    RandomGenerator noise = new SplittableRandom(tile.noiseSeed());
    float[][] pixels = new float[image.height()][image.width()];
    for (int y = 0; y < image.height(); y++) {
      for (int x = 0; x < image.width(); x++) {
        double dx = x - (image.width() - 1) / 2.0;
        double dy = y - (image.height() - 1) / 2.0;
        pixels[y][x] = (float) (tile.background().at(dx, dy) + NOISE * noise.nextGaussian());
      }
    }
    for (Star star : stars) {
      add(star.flux(), image.toPixel(star.place()), pixels);
    }
    return pixels;
  }

  private static void add(double flux, PixelPoint place, float[][] pixels) {
    double peak = flux / (2 * Math.PI * SIGMA * SIGMA);
    int firstRow = (int) Math.max(0, Math.floor(place.y() - 1 - REACH));
    int lastRow = (int) Math.min(pixels.length - 1, Math.ceil(place.y() - 1 + REACH));
    int firstColumn = (int) Math.max(0, Math.floor(place.x() - 1 - REACH));
    int lastColumn = (int) Math.min(pixels[0].length - 1, Math.ceil(place.x() - 1 + REACH));
    for (int y = firstRow; y <= lastRow; y++) {
      for (int x = firstColumn; x <= lastColumn; x++) {
        double dx = x + 1 - place.x();
        double dy = y + 1 - place.y();
        pixels[y][x] += (float) (peak * Math.exp(-(dx * dx + dy * dy) / (2 * SIGMA * SIGMA)));
      }
    }
  }
}
