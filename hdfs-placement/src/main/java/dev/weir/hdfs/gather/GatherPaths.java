package dev.weir.hdfs.gather;

import dev.weir.hints.UnfinishedName;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * The paths of a gather: {@code DIRECTORY/.NAME.weir-gather-ID/}. In it, {@code whole} becomes the
 * file, {@code part-N} is a finished region, and {@code part-N.ATTEMPT} is one being written. A
 * commit that has found all regions first renames the directory to {@code
 * .NAME.weir-gather-ID.commit}, so that writers cannot add files.
 *
 * @param directory the target's directory
 * @param name the target's name
 * @param id of the gather
 */
record GatherPaths(Path directory, String name, String id) {
  private static final Pattern HIDDEN =
      Pattern.compile(
          "\\.(.+)" + Pattern.quote(UnfinishedName.GATHER) + "([0-9a-f]{16})(\\.commit)?");
  private static final Pattern PART =
      Pattern.compile(Pattern.quote(UnfinishedName.REGION) + "([0-9]{5})(\\.[0-9a-f]{16})?");
  private static final String WHOLE = "whole";

  /** A file of a gather's directory. */
  record Part(int region, boolean isComplete) {}

  static GatherPaths of(Path target, String id) throws GatherException {
    @Nullable Path parent = target.getParent();
    if (parent == null) {
      throw new GatherException(
          GatherException.Problem.WRONG_USAGE,
          target + " is the root directory; gather into a file");
    }
    return new GatherPaths(parent, target.getName(), id);
  }

  /**
   * The paths of the gather that a directory, open or closed, belongs to; empty if its name is not
   * that of a gather.
   */
  static Optional<GatherPaths> parse(Path gather) {
    Matcher matcher = HIDDEN.matcher(gather.getName());
    @Nullable Path parent = gather.getParent();
    return parent == null || !matcher.matches()
        ? Optional.empty()
        : Optional.of(new GatherPaths(parent, matcher.group(1), matcher.group(2)));
  }

  Path gather() {
    return new Path(directory, "." + name + UnfinishedName.GATHER + id);
  }

  /** The directory during the commit. */
  Path closed() {
    return new Path(directory, gather().getName() + ".commit");
  }

  Path target() {
    return new Path(directory, name);
  }

  /** Empty until the regions are joined in it; carries the manifest from the beginning. */
  static Path whole(Path gather) {
    return new Path(gather, WHOLE);
  }

  static Path part(Path gather, int region) {
    return new Path(gather, partName(region));
  }

  Path attempt(int region, String attempt) {
    return new Path(gather(), partName(region) + "." + attempt);
  }

  static String partName(int region) {
    return String.format(Locale.ROOT, "%s%05d", UnfinishedName.REGION, region);
  }

  /** The region that a file name identifies; empty for the whole file and for other names. */
  static Optional<Part> part(String name) {
    Matcher matcher = PART.matcher(name);
    return matcher.matches()
        ? Optional.of(new Part(Integer.parseInt(matcher.group(1)), matcher.group(2) == null))
        : Optional.empty();
  }

  /** Whether a file of a gather's directory can belong to the gather. */
  static boolean isGatherFile(String name) {
    return name.equals(WHOLE) || part(name).isPresent();
  }

  static int requireRegion(int region, OptionalInt regions) throws GatherException {
    int end = regions.orElse(GatherSpec.MAX_REGIONS);
    if (region < 0 || region >= end) {
      throw new GatherException(
          GatherException.Problem.WRONG_USAGE,
          "region "
              + region
              + " does not exist in this gather, whose regions are 0 to "
              + (end - 1));
    }
    return region;
  }
}
