package dev.weir.cli.doctor;

import java.io.IOException;
import java.util.List;

/** Looks at one part of a cluster. */
interface Check {
  /** What it looks at. */
  String subject();

  /**
   * What it finds, in the order in which people should read it.
   *
   * @throws IOException when the part does not answer
   */
  List<Finding> examine() throws IOException;
}
