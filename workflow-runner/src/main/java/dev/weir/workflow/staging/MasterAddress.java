package dev.weir.workflow.staging;

/**
 * The address of a run's ApplicationMaster for its workers. It is stored in the run's directory,
 * which only the owner may read.
 *
 * @param attempt number of the ApplicationMaster; one with a lower number must stop
 * @param host host or address; empty until it accepts workers
 * @param port port for workers; 0 until it accepts workers
 * @param secret secret of the run, in hexadecimal; the next ApplicationMaster needs it as well
 * @param patienceMillis how long workers look for the next ApplicationMaster when this one is gone,
 *     in milliseconds
 */
public record MasterAddress(
    int attempt, String host, int port, String secret, long patienceMillis) {

  /** Returns the address without the secret, which must not be logged. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
