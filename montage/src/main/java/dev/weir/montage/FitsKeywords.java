package dev.weir.montage;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import nom.tam.fits.Header;
import nom.tam.fits.HeaderCardException;

/** The geometry of an image as FITS keywords: in a header, and in the text form Montage takes. */
final class FitsKeywords {

  private FitsKeywords() {}

  /** Adds the projection of {@code image}; the size of the image is the header's own already. */
  static void addProjection(TanImage image, Header header) throws HeaderCardException {
    header.addValue("CTYPE1", "RA---TAN", null);
    header.addValue("CTYPE2", "DEC--TAN", null);
    header.addValue("EQUINOX", 2000, null);
    for (Map.Entry<String, Double> number : numbers(image).entrySet()) {
      header.addValue(number.getKey(), number.getValue(), null);
    }
  }

  /** A header template ({@code region.hdr}) for an image of doubles. */
  static String template(TanImage image) {
    StringBuilder text = new StringBuilder();
    text.append("SIMPLE  = T\n");
    text.append("BITPIX  = -64\n");
    text.append("NAXIS   = 2\n");
    text.append("NAXIS1  = ").append(image.width()).append('\n');
    text.append("NAXIS2  = ").append(image.height()).append('\n');
    text.append("CTYPE1  = 'RA---TAN'\n");
    text.append("CTYPE2  = 'DEC--TAN'\n");
    text.append("EQUINOX = 2000\n");
    numbers(image)
        .forEach(
            (key, value) -> text.append(String.format(Locale.ROOT, "%-8s= %.12f%n", key, value)));
    return text.append("END\n").toString();
  }

  private static Map<String, Double> numbers(TanImage image) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("CRVAL1", image.centre().rightAscension());
    numbers.put("CRVAL2", image.centre().declination());
    numbers.put("CRPIX1", image.reference().x());
    numbers.put("CRPIX2", image.reference().y());
    numbers.put("CDELT1", -image.pixelDegrees());
    numbers.put("CDELT2", image.pixelDegrees());
    numbers.put("CROTA2", image.rotationDegrees());
    return numbers;
  }
}
