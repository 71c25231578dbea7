package dev.weir.montage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TanImageTest {

  private static final SkyPoint CENTRE = new SkyPoint(120, 60);
  private static final TanImage UPRIGHT =
      new TanImage(400, 300, CENTRE, new PixelPoint(200, 150), 0.001, 0);

  @Test
  void theReferencePixelShowsTheCentre() {
    assertThat(UPRIGHT.toPixel(CENTRE)).isEqualTo(new PixelPoint(200, 150));
  }

  @Test
  void northIsUpAndEastIsLeft() {
    PixelPoint north = UPRIGHT.toPixel(new SkyPoint(120, 60.01));
    assertThat(north.x()).isCloseTo(200, within(1e-6));
    assertThat(north.y()).isCloseTo(160, within(1e-3));
    PixelPoint east = UPRIGHT.toPixel(new SkyPoint(120.02, 60));
    assertThat(east.x()).isCloseTo(190, within(1e-3));
  }

  @Test
  void projectionIsInvertible() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100; i++) {
      TanImage image =
          new TanImage(
              400,
              400,
              new SkyPoint(random.nextDouble(0, 360), random.nextDouble(-80, 80)),
              new PixelPoint(random.nextDouble(0, 400), random.nextDouble(0, 400)),
              1.0 / 3600,
              random.nextDouble(-180, 180));
      PixelPoint pixel = new PixelPoint(random.nextDouble(0, 400), random.nextDouble(0, 400));
      PixelPoint back = image.toPixel(image.toSky(pixel));
      assertThat(back.x()).as("%s of %s", pixel, image).isCloseTo(pixel.x(), within(1e-5));
      assertThat(back.y()).as("%s of %s", pixel, image).isCloseTo(pixel.y(), within(1e-5));
    }
  }

  @Test
  void anImageCoversItself() {
    assertThat(UPRIGHT.footprintIn(UPRIGHT))
        .satisfies(
            box -> {
              assertThat(box.width()).isBetween(400, 402);
              assertThat(box.height()).isBetween(300, 302);
            });
  }

  @Test
  void rotatedImageNeedsALargerBox() {
    TanImage turned = new TanImage(400, 300, CENTRE, new PixelPoint(200.5, 150.5), 0.001, 90);
    PixelBox box = turned.footprintIn(UPRIGHT);
    assertThat(box.width()).isBetween(300, 302);
    assertThat(box.height()).isBetween(400, 402);
  }
}
