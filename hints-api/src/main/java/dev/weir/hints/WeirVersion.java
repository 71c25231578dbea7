package dev.weir.hints;

import java.util.Objects;

/** The version of Weir that a jar contains. */
public final class WeirVersion {
  /** The version of classes that are not in a jar. */
  public static final String UNPACKAGED = "(unpackaged)";

  private WeirVersion() {}

  /** The version in the manifest of the jar that contains a class. */
  public static String of(Class<?> type) {
    Package javaPackage = type.getPackage();
    return javaPackage == null
        ? UNPACKAGED
        : Objects.requireNonNullElse(javaPackage.getImplementationVersion(), UNPACKAGED);
  }
}
