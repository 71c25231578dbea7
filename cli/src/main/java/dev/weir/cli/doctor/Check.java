package dev.weir.cli.doctor;

import java.io.IOException;

/** A check of one part of a cluster. */
interface Check {
  /** Returns the name of the part. */
  String subject();

  /**
   * Runs the check.
   *
   * @throws IOException if the part does not answer
   */
  void examine(Findings findings) throws IOException;
}
