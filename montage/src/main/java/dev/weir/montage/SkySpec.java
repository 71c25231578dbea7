package dev.weir.montage;

/**
 * What to generate.
 *
 * @param tiles how many tiles, at least 2
 * @param tilePixels the side of a tile, at least 100 pixels
 * @param seed the same seed gives the same bytes
 */
public record SkySpec(int tiles, int tilePixels, long seed) {

  /** The most tiles: the numbers in Montage's file names stay below six digits. */
  static final int MOST_TILES = 10_000;

  /** Checks the numbers. */
  public SkySpec {
    if (tiles < 2 || tiles > MOST_TILES) {
      throw new IllegalArgumentException(
          "A mosaic takes 2 to " + MOST_TILES + " tiles, not " + tiles);
    }
    if (tilePixels < 100 || tilePixels > 10_000) {
      throw new IllegalArgumentException("A tile is 100 to 10000 pixels wide, not " + tilePixels);
    }
  }

  /** Tiles of 400 x 400 pixels. */
  public static SkySpec ofTiles(int tiles) {
    return new SkySpec(tiles, 400, 20_261_121L);
  }
}
