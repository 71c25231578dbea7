package dev.weir.workflow.am;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.run.MasterAddress;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandoverTest {

  private final Secret secret = Secret.generate(new SecureRandom());

  @Test
  void theNextMasterIsLeftTheSecretAndWorkersThePlaceAndTheTime() {
    List<MasterAddress> left = new ArrayList<>();

    new Handover(secret, left::add, Duration.ofMinutes(12)).tell("10.0.0.1", 4242);

    assertThat(left).containsExactly(new MasterAddress("10.0.0.1", 4242, secret.toHex(), 720_000));
    assertThat(left.get(0).toString()).doesNotContain(secret.toHex());
  }

  @Test
  void whatCannotBeLeftIsNoReasonToFail() {
    new Handover(
            secret,
            address -> {
              throw new IOException("no room on purpose");
            },
            Duration.ofMinutes(12))
        .tell("10.0.0.1", 4242);
  }
}
