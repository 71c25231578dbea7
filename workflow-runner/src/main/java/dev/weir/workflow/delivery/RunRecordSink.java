package dev.weir.workflow.delivery;

import dev.weir.workflow.provenance.RunHead;
import dev.weir.workflow.provenance.RunPart;
import java.io.IOException;

/** Receives the records of runs. Calls block. */
public interface RunRecordSink extends AutoCloseable {

  /**
   * Stores the properties and the phase of a run.
   *
   * @throws dev.weir.hints.client.http.HintsServiceException if the service refuses it or does not
   *     answer
   * @throws IOException if the thread is interrupted
   */
  void put(String run, RunHead head) throws IOException;

  /**
   * Adds a part to the record of a run whose head was stored.
   *
   * @throws dev.weir.hints.client.http.HintsServiceException if the service refuses it or does not
   *     answer
   * @throws IOException if the thread is interrupted
   */
  void add(String run, RunPart part) throws IOException;

  @Override
  void close();
}
