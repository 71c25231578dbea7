package dev.weir.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** A YARN application whose only container runs a shell script and never registers. */
final class ShellApplication implements AutoCloseable {
  private final YarnClient client = YarnClient.createYarnClient();
  private final ApplicationId id;

  ShellApplication(Configuration conf, String script) throws IOException, YarnException {
    client.init(conf);
    client.start();
    YarnClientApplication application = client.createApplication();
    ApplicationSubmissionContext context = application.getApplicationSubmissionContext();
    context.setApplicationName("shell");
    context.setMaxAppAttempts(1);
    context.setResource(Resource.newInstance(256, 1));
    context.setAMContainerSpec(
        ContainerLaunchContext.newInstance(
            Map.of(), Map.of(), List.of(script), Map.of(), null, Map.of()));
    id = client.submitApplication(context);
  }

  ApplicationId id() {
    return id;
  }

  @Override
  public void close() throws IOException {
    try (client) {
      client.killApplication(id);
    } catch (YarnException e) {
      throw new IOException(e);
    }
  }
}
