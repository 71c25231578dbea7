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

/** How ApplicationMasters come to a ResourceManager that knows of containers from before. */
class YarnRegistrationTest extends ContainerPoolBench {

  private static final YarnRegistration.Place PLACE = new YarnRegistration.Place("localhost", 1);

  /** A ResourceManager that takes everybody. */
  private static final class TakingMaster extends AMRMClientAsyncImpl<ContainerRequest> {
    private final List<Container> kept;

    TakingMaster(ContainerPool pool, Container... kept) {
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
  void aLaterOneHasNoNodeAvoidedAndAsksForWhatIsMissing() throws IOException {
    yarn.avoid("n1");
    yarn.avoid("n2");
    ContainerPool pool = unstarted(3, 3, List.of());
    Container kept = yarn.container("n1");

    List<String> ids =
        new YarnRegistration(pool, new TakingMaster(pool, kept))
            .registerNext(PLACE, yarn, Set.of("n2"));

    assertThat(ids).containsExactly(kept.getId().toString());
    assertThat(yarn.avoided).isEmpty();
    assertThat(yarn.asks).hasSize(2);
  }
}
