package dev.weir.workflow.fetch;

import java.io.IOException;

/** A file outside the run's HDFS. Messages of its exceptions have no URL. */
interface RemoteFile {

  /**
   * Returns what is known of the file without its content.
   *
   * @throws FetchException if the file is missing or not readable
   */
  RemoteStatus status() throws IOException, InterruptedException;

  /**
   * Reads the content from the target's position to the end, or from the start if the content has
   * changed since or the server cannot resume.
   *
   * @throws FetchException if the file is missing or not readable
   * @throws IOException if the server or the network failed; a later call may continue
   */
  void readInto(FetchTarget target) throws IOException, InterruptedException;
}
