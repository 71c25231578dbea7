package dev.weir.montage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The plan of a synthetic survey: where each tile points, what lies under its stars, which stars
 * there are, and the region that the mosaic covers. A plan is cheap; {@link TileWriter} draws it.
 *
 * <p>Tiles stand in a near-square grid and overlap their neighbours, also across the corner, by a
 * fifth of their side. Each is shifted a little and turned a little, so that every one of them must
 * really be projected; both stay far too small to part neighbours or to join others.
 */
public final class Survey {

  private static final double PIXEL_DEGREES = 1.0 / 3600;
  private static final SkyPoint CENTRE = new SkyPoint(210.0, 54.0);
  private static final double OVERLAP = 0.2;
  private static final double DITHER = 0.02;
  private static final double TURN_DEGREES = 1.5;

  /** Levels of the backgrounds, and the most that one rises across its tile, in counts. */
  private static final double DARKEST = 90;

  private static final double LIGHTEST = 130;
  private static final double STEEPEST_RISE = 16;

  /** The region ends this many pixels outside of the outermost tile. */
  private static final int MARGIN = 5;

  private static final double STARS_PER_PIXEL = 1.0 / 900;
  private static final double FAINTEST = 150;
  private static final double BRIGHTEST = 150_000;

  /** Of the number of stars brighter than a flux, against that flux: Euclid's -1.5, thinned. */
  private static final double SLOPE = 1.1;

  private final List<Tile> tiles;
  private final TanImage region;
  private final List<Star> stars;

  private Survey(List<Tile> tiles, TanImage region, List<Star> stars) {
    this.tiles = List.copyOf(tiles);
    this.region = region;
    this.stars = List.copyOf(stars);
  }

  /** Plans a survey; the same {@code spec} always gives the same plan. */
  public static Survey plan(SkySpec spec) {
    SplittableRandom random = new SplittableRandom(spec.seed());
    int columns = (int) Math.ceil(Math.sqrt(spec.tiles()));
    int rows = (spec.tiles() + columns - 1) / columns;
    double step = spec.tilePixels() * (1 - OVERLAP);
    TanImage plane = new TanImage(1, 1, CENTRE, new PixelPoint(0, 0), PIXEL_DEGREES, 0);
    List<Background> backgrounds = backgrounds(spec, random.split());
    List<Tile> tiles = new ArrayList<>();
    for (int i = 0; i < spec.tiles(); i++) {
      double x = (i % columns - (columns - 1) / 2.0) * step;
      int row = i / columns;
      double y = (row - (rows - 1) / 2.0) * step;
      TanImage image = image(spec.tilePixels(), plane, new PixelPoint(x, y), random);
      tiles.add(
          new Tile(String.format("tile%04d", i), image, backgrounds.get(i), random.nextLong()));
    }
    TanImage region = regionAround(tiles, plane);
    return new Survey(tiles, region, stars(region, random.split()));
  }

  private static TanImage image(
      int side, TanImage plane, PixelPoint middle, RandomGenerator random) {
    double reach = side * DITHER;
    PixelPoint dithered =
        new PixelPoint(
            middle.x() + random.nextDouble(-reach, reach),
            middle.y() + random.nextDouble(-reach, reach));
    return new TanImage(
        side,
        side,
        plane.toSky(dithered),
        new PixelPoint((side + 1) / 2.0, (side + 1) / 2.0),
        PIXEL_DEGREES,
        random.nextDouble(-TURN_DEGREES, TURN_DEGREES));
  }

  /**
   * Planes whose slopes cancel over the survey. Montage matches tiles to each other, so a slope
   * that all of them share would stay in the mosaic.
   */
  private static List<Background> backgrounds(SkySpec spec, RandomGenerator random) {
    double steepest = STEEPEST_RISE / spec.tilePixels();
    double[] slopesX = random.doubles(spec.tiles(), -steepest, steepest).toArray();
    double[] slopesY = random.doubles(spec.tiles(), -steepest, steepest).toArray();
    double meanX = Arrays.stream(slopesX).average().orElseThrow();
    double meanY = Arrays.stream(slopesY).average().orElseThrow();
    return IntStream.range(0, spec.tiles())
        .mapToObj(
            i ->
                new Background(
                    random.nextDouble(DARKEST, LIGHTEST), slopesX[i] - meanX, slopesY[i] - meanY))
        .toList();
  }

  private static TanImage regionAround(List<Tile> tiles, TanImage plane) {
    PixelBox box =
        tiles.stream()
            .map(tile -> tile.image().footprintIn(plane))
            .reduce(PixelBox::union)
            .orElseThrow();
    return new TanImage(
        box.width() + 2 * MARGIN,
        box.height() + 2 * MARGIN,
        CENTRE,
        new PixelPoint(MARGIN + 1 - box.left(), MARGIN + 1 - box.bottom()),
        PIXEL_DEGREES,
        0);
  }

  private static List<Star> stars(TanImage region, RandomGenerator random) {
    int count = (int) (STARS_PER_PIXEL * region.width() * region.height());
    List<Star> stars = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      PixelPoint place =
          new PixelPoint(
              random.nextDouble(0, region.width()), random.nextDouble(0, region.height()));
      double flux = FAINTEST * Math.pow(random.nextDouble(Double.MIN_NORMAL, 1), -1 / SLOPE);
      stars.add(new Star(region.toSky(place), Math.min(flux, BRIGHTEST)));
    }
    return stars;
  }

  /**
   * The pixels that each tile covers once it lies on the plane of the mosaic, counted in the
   * region. mProject (Montage 6.0) leaves the first row of its input out; now and then it also
   * drops an outermost row or column of the result that is covered in part only.
   */
  List<PixelBox> footprints() {
    return tiles.stream().map(tile -> tile.image().withoutFirstRow().footprintIn(region)).toList();
  }

  /**
   * The pairs of tiles that overlap, exactly those that mOverlaps finds: it compares the outlines
   * of projected images, and those are upright boxes on one plane.
   */
  List<TilePair> overlaps() {
    List<PixelBox> boxes = footprints();
    List<TilePair> pairs = new ArrayList<>();
    for (int i = 0; i < boxes.size(); i++) {
      for (int j = i + 1; j < boxes.size(); j++) {
        if (boxes.get(i).overlaps(boxes.get(j))) {
          pairs.add(new TilePair(i, j));
        }
      }
    }
    return pairs;
  }

  /** The tiles, in the order of their names. */
  List<Tile> tiles() {
    return tiles;
  }

  /** The mosaic to make; it encloses all tiles. */
  TanImage region() {
    return region;
  }

  /** The stars of the region. */
  List<Star> stars() {
    return stars;
  }
}
