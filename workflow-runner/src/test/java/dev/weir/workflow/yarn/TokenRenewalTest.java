package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.staging.RunException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class TokenRenewalTest {
  private static final long DAY = 86_400_000;

  @Test
  void tokensAreReplacedBeforeTheyEnd() {
    assertThat(TokenRenewal.pauseMillis(DAY, 2 * DAY)).isEqualTo(DAY * 3 / 4);
  }

  @Test
  void cookiesAreReplacedBeforeTheyEnd() {
    assertThat(TokenRenewal.pauseMillis(DAY, DAY / 2)).isEqualTo(DAY * 3 / 8);
  }

  @Test
  void tokensThatHaveEndedAreNotReplacedInALoop() {
    assertThat(TokenRenewal.pauseMillis(-5, DAY)).isPositive();
  }

  @Test
  void keysAreRefusedWithoutKerberos() {
    Configuration conf = new Configuration(false);
    UserKeytab keytab = new UserKeytab("ann@EXAMPLE.COM", Path.of("/missing"));

    assertThatThrownBy(() -> keytab.login(conf))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("leave --keytab out");
    assertThat(UserKeytab.ofClient(conf)).isEmpty();
  }

  @Test
  void theApplicationMasterReadsTheLocalisedFile() {
    Configuration conf = new Configuration(false);
    assertThat(UserKeytab.ofMaster(conf)).isEmpty();

    conf.set(UserKeytab.PRINCIPAL_KEY, "ann@EXAMPLE.COM");

    assertThat(UserKeytab.ofMaster(conf))
        .contains(new UserKeytab("ann@EXAMPLE.COM", Path.of("user.keytab").toAbsolutePath()));
  }
}
