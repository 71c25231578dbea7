package dev.weir.service.locate.files;

/** Why a path has no metadata. */
public enum PathFault {
  NOT_FOUND("not-found"),
  /** The caller may not look there. */
  NOT_READABLE("not-readable"),
  IS_DIRECTORY("is-directory");

  private final String word;

  PathFault(String word) {
    this.word = word;
  }

  /** Returns the name of the fault in responses. */
  public String word() {
    return word;
  }
}
