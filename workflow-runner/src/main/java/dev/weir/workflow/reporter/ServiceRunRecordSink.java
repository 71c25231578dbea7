package dev.weir.workflow.reporter;

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

/** The hints service, asked as the user of this process. */
public final class ServiceRunRecordSink implements RunRecordSink {
  private static final String RUNS = "/v1/runs/";
  private static final String JSON = "application/json";

  /** For one answer: a part is written to a database. */
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** For a call with its repetitions. */
  private static final Duration BOUND = Duration.ofSeconds(25);

  private final HintsClient client;
  private final boolean own;

  private ServiceRunRecordSink(HintsClient client, boolean own) {
    this.client = client;
    this.own = own;
  }

  /**
   * A desk of a client that is somebody else's to close.
   *
   * @param client the client
   * @return the desk
   */
  public static ServiceRunRecordSink over(HintsClient client) {
    return new ServiceRunRecordSink(client, false);
  }

  /**
   * A desk of its own.
   *
   * @param conf the cluster's configuration
   * @param settings where the service is
   * @return the desk
   * @throws IOException when the user of this process is not known
   */
  public static ServiceRunRecordSink open(Configuration conf, ClientSettings settings)
      throws IOException {
    return new ServiceRunRecordSink(
        HintsClient.open(
            conf, settings.waiting(TIMEOUT, BOUND), UserGroupInformation.getCurrentUser()),
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
    if (own) {
      client.close();
    }
  }
}
