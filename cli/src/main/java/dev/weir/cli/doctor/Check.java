package dev.weir.cli.doctor;

import java.io.IOException;
import java.util.List;

/** A check of one part of a cluster. */
interface Check {
  /** Returns the name of the part. */
  String subject();

  /**
   * Runs the check and returns findings in reading order.
   *
   * @throws IOException if the part does not answer
   */
  List<Finding> examine() throws IOException;
}
