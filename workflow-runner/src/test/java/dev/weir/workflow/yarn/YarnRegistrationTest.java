package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.async.impl.AMRMClientAsyncImpl;
import org.apache.hadoop.yarn.util.Records;
import org.junit.jupiter.api.Test;

/** Registers ApplicationMasters with a ResourceManager that knows earlier containers. */
class YarnRegistrationTest extends ContainerPoolTestBase {

  private static final YarnRegistration.Place PLACE =
      new YarnRegistration.Place("localhost", 1, "");

  /** A ResourceManager that accepts every ApplicationMaster. */
  private static final class AcceptingRmClient extends AMRMClientAsyncImpl<ContainerRequest> {
    private final List<Container> kept;

    AcceptingRmClient(ContainerPool pool, Container... kept) {
      super(1, pool);
      this.kept = List.of(kept);
    }

    @Override
    public RegisterApplicationMasterResponse registerApplicationMaster(
        String host, int port, String url) {
      RegisterApplicationMasterResponse taken =
          Records.newRecord(RegisterApplicationMasterResponse.class);
      taken.setContainersFromPreviousAttempts(kept);
      return taken;
    }
  }

  @Test
  void laterMasterAvoidsNoNodeAndRequestsMissingWorkers() throws IOException {
    yarn.avoid("n1");
    yarn.avoid("n2");
    ContainerPool pool = unstarted(3, 3, List.of());
    Container kept = yarn.container("n1");

    List<String> ids =
        new YarnRegistration(pool, new AcceptingRmClient(pool, kept))
            .registerNext(PLACE, yarn, Set.of("n2"));

    assertThat(ids).containsExactly(kept.getId().toString());
    assertThat(yarn.avoided).isEmpty();
    assertThat(yarn.asks).hasSize(2);
  }
}
