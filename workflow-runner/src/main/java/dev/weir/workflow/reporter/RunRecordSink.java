package dev.weir.workflow.reporter;

import dev.weir.workflow.provenance.RunHead;
import dev.weir.workflow.provenance.RunPart;
import java.io.IOException;

/** Where the records of runs are handed in. Calls block. */
public interface RunRecordSink extends AutoCloseable {

  /**
   * Says what a run is and how far.
   *
   * @param run its id
   * @param head the rest
   * @throws dev.weir.hints.client.http.HintsServiceException when it is refused, or not answered
   * @throws IOException when the thread is interrupted
   */
  void put(String run, RunHead head) throws IOException;

  /**
   * Adds to the record of a run that has been put.
   *
   * @param run its id
   * @param part what to add
   * @throws dev.weir.hints.client.http.HintsServiceException when it is refused, or not answered
   * @throws IOException when the thread is interrupted
   */
  void add(String run, RunPart part) throws IOException;

  @Override
  void close();
}
