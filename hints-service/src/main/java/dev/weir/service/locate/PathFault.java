package dev.weir.service.locate;

/** Why nothing is known of a path. */
public enum PathFault {
  /** There is no such path. */
  NOT_FOUND("not-found"),
  /** The caller may not look there, whatever there is. */
  NOT_READABLE("not-readable"),
  /** It is no file. */
  IS_DIRECTORY("is-directory");

  private final String word;

  PathFault(String word) {
    this.word = word;
  }

  /** How answers name it. */
  public String word() {
    return word;
  }
}
