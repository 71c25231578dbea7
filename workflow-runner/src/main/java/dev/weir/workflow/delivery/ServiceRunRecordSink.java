package dev.weir.workflow.delivery;

import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.ServiceCall;
import dev.weir.workflow.provenance.ProvenanceJson;
import dev.weir.workflow.provenance.RunHead;
import dev.weir.workflow.provenance.RunPart;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/** Sends run records to the hints service as the user of this process. */
public final class ServiceRunRecordSink implements RunRecordSink {
  private static final String RUNS = "/v1/runs/";
  private static final String JSON = "application/json";

  /** Timeout of one request. The service writes a part to a database. */
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** Timeout of a call with its retries. */
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(25);

  private final HintsClient client;
  private final boolean ownsClient;

  private ServiceRunRecordSink(HintsClient client, boolean ownsClient) {
    this.client = client;
    this.ownsClient = ownsClient;
  }

  /** Creates a sink that does not close its client. */
  public static ServiceRunRecordSink over(HintsClient client) {
    return new ServiceRunRecordSink(client, false);
  }

  /**
   * Creates a sink with a client of its own.
   *
   * @param conf the cluster's configuration
   * @param settings the address of the service
   */
  public static ServiceRunRecordSink open(Configuration conf, ClientSettings settings)
      throws IOException {
    return new ServiceRunRecordSink(
        HintsClient.open(
            conf, settings.waiting(TIMEOUT, CALL_TIMEOUT), UserGroupInformation.getCurrentUser()),
        true);
  }

  @Override
  public void put(String run, RunHead head) throws IOException {
    client.send(ServiceCall.of("PUT", path(run)).body(JSON, ProvenanceJson.write(head)));
  }

  @Override
  public void add(String run, RunPart part) throws IOException {
    client.send(
        ServiceCall.of("POST", path(run) + "/records").body(JSON, ProvenanceJson.write(part)));
  }

  private static String path(String run) {
    return RUNS + URLEncoder.encode(run, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    if (ownsClient) {
      client.close();
    }
  }
}
