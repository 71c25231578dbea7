package dev.weir.workflow.staging;

/**
 * Where the workers of a run find its ApplicationMaster, as it stands in the run's directory, which
 * is its owner's alone.
 *
 * @param attempt number of the ApplicationMaster: one with a lower number is not to go on
 * @param host host or address; empty while it does not take workers in yet
 * @param port where it takes workers in; 0 while it does not yet
 * @param secret of the run, in hexadecimal: the next ApplicationMaster has to know it, too
 * @param patienceMillis how long workers look for the next one when this one is gone, in
 *     milliseconds
 */
public record MasterAddress(
    int attempt, String host, int port, String secret, long patienceMillis) {

  /** Without the secret, which is not to come into a log. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
