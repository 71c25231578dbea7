package dev.weir.montage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import nom.tam.fits.Fits;
import nom.tam.fits.ImageData;
import nom.tam.fits.ImageHDU;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FitsComparisonTest {

  @TempDir private Path directory;

  @Test
  void headersAreIgnored() throws Exception {
    double[][] pixels = {{1, Double.NaN, -0.0}, {2, 3, 4}};
    double[][] same = {{1, Double.NaN, 0.0}, {2, 3, 4}};
    FitsComparison result = compare(write("a", pixels, "one"), write("b", same, "two"));
    assertThat(result.identical()).isTrue();
    assertThat(result).hasToString("all 6 pixels are equal");
  }

  @Test
  void firstAndGreatestDifferenceAreReported() throws Exception {
    double[][] pixels = {{1, 2, 3}, {4, 5, 6}};
    double[][] other = {{1, 2, 3.5}, {4, 7, 6}};
    FitsComparison result = compare(write("a", pixels, ""), write("b", other, ""));
    assertThat(result.identical()).isFalse();
    assertThat(result)
        .hasToString(
            "2 of 6 pixels differ, the first at (3, 1): 3.5 instead of 3.0;"
                + " greatest difference 2.0");
  }

  @Test
  void blankPixelDiffersFromAValue() throws Exception {
    double[][] pixels = {{1, Double.NaN}};
    double[][] other = {{1, 0}};
    FitsComparison result = compare(write("a", pixels, ""), write("b", other, ""));
    assertThat(result.identical()).isFalse();
    assertThat(result.toString()).endsWith("greatest difference Infinity");
  }

  @Test
  void imagesOfDifferentSizesDiffer() throws Exception {
    FitsComparison result =
        compare(write("a", new double[2][3], ""), write("b", new double[3][2], ""));
    assertThat(result.identical()).isFalse();
    assertThat(result).hasToString("the images have different sizes: 3 x 2 and 2 x 3 pixels");
  }

  @Test
  void invalidImageIsReported() throws Exception {
    Path image = write("a", new double[2][3], "");
    Path text = Files.writeString(directory.resolve("text"), "not a FITS file");
    assertThatThrownBy(() -> FitsComparison.compare(image, text))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(text.toString());
  }

  private static FitsComparison compare(Path expected, Path actual) throws IOException {
    return FitsComparison.compare(expected, actual);
  }

  private Path write(String name, double[][] pixels, String object) throws Exception {
    Path file = directory.resolve(name);
    ImageHDU hdu = ImageData.from(pixels).toHDU();
    hdu.getHeader().addValue("OBJECT", object, null);
    try (Fits fits = new Fits()) {
      fits.addHDU(hdu);
      fits.write(file.toFile());
    }
    return file;
  }
}
