package dev.weir.hints;

import java.util.Objects;

/** Which version of Weir a jar is of. */
public final class WeirVersion {
  /** What stands for the version of classes that are in no jar. */
  public static final String UNPACKAGED = "(unpackaged)";

  private WeirVersion() {}

  /** The version in the manifest of the jar that a class came from. */
  public static String of(Class<?> type) {
    Package home = type.getPackage();
    return home == null
        ? UNPACKAGED
        : Objects.requireNonNullElse(home.getImplementationVersion(), UNPACKAGED);
  }
}
