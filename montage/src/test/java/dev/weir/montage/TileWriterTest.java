package dev.weir.montage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import nom.tam.fits.BasicHDU;
import nom.tam.fits.Fits;
import nom.tam.fits.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TileWriterTest {

  @TempDir private Path directory;

  private final SkyPoint centre = new SkyPoint(10, 20);
  private final TanImage image =
      new TanImage(120, 110, centre, new PixelPoint(60, 50), 1.0 / 3600, 0.5);
  private final Tile tile = new Tile("t", image, new Background(100, 0.1, 0), 3);

  @Test
  void headerHasThePosition() throws Exception {
    new TileWriter(List.of()).write(tile, directory);
    try (Fits fits = new Fits(directory.resolve("t.fits").toFile())) {
      Header header = fits.readHDU().getHeader();
      assertThat(header.getIntValue("BITPIX")).isEqualTo(-32);
      assertThat(header.getIntValue("NAXIS1")).isEqualTo(120);
      assertThat(header.getIntValue("NAXIS2")).isEqualTo(110);
      assertThat(header.getStringValue("CTYPE1")).isEqualTo("RA---TAN");
      assertThat(header.getDoubleValue("CRVAL1")).isEqualTo(10);
      assertThat(header.getDoubleValue("CRVAL2")).isEqualTo(20);
      assertThat(header.getDoubleValue("CRPIX1")).isEqualTo(60);
      assertThat(header.getDoubleValue("CDELT1")).isCloseTo(-1.0 / 3600, within(1e-15));
      assertThat(header.getDoubleValue("CROTA2")).isEqualTo(0.5);
    }
  }

  @Test
  void starIsBrighterThanTheBackground() throws Exception {
    new TileWriter(List.of(new Star(centre, 10_000))).write(tile, directory);
    try (Fits fits = new Fits(directory.resolve("t.fits").toFile())) {
      BasicHDU<?> hdu = fits.readHDU();
      float[][] pixels = (float[][]) hdu.getKernel();
      assertThat(pixels[49][59]).isCloseTo(100 + 1105, within(10f));
      assertThat(pixels[9][19]).isCloseTo(96, within(10f));
      assertThat(pixels[9][109]).isCloseTo(105, within(10f));
    }
  }

  @Test
  void bytesAreReproducibleAndAsManyAsDeclared() throws Exception {
    new TileWriter(List.of()).write(tile, directory);
    byte[] once = Files.readAllBytes(directory.resolve("t.fits"));
    new TileWriter(List.of()).write(tile, directory);
    assertThat(Files.readAllBytes(directory.resolve("t.fits"))).isEqualTo(once);
    assertThat(once).hasSize((int) FileSizes.image(120, 110, 4));
  }
}
