package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.staging.RunException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;

class TokenRenewalTest {
  private static final long DAY = 86_400_000;
  private static final Text HDFS = new Text("hdfs");
  private static final Text KMS = new Text("kms");

  private final Credentials tokens = new Credentials();
  private final List<Text> issued = new ArrayList<>();

  @Test
  void tokensAreReplacedBeforeTheyEnd() {
    assertThat(TokenRenewal.pauseMillis(DAY)).isEqualTo(DAY * 3 / 4);
  }

  @Test
  void tokensThatHaveEndedAreNotReplacedInALoop() {
    assertThat(TokenRenewal.pauseMillis(-5)).isPositive();
  }

  @Test
  void retriesBecomeRareUpToABound() {
    assertThat(IntStream.range(0, 7).mapToLong(failures -> TokenRenewal.retryMillis(failures, DAY)))
        .containsExactly(20_000L, 40_000L, 80_000L, 160_000L, 320_000L, 600_000L, 600_000L);
    assertThat(TokenRenewal.retryMillis(Integer.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(600_000);
  }

  @Test
  void retriesAreFrequentIfTokensEndSoon() {
    assertThat(TokenRenewal.retryMillis(9, 3_600_000)).isEqualTo(225_000);
    assertThat(TokenRenewal.retryMillis(9, 90_000)).isEqualTo(20_000);
    assertThat(TokenRenewal.retryMillis(9, -5)).isEqualTo(20_000);
  }

  private void issue(Text service) {
    if (tokens.getToken(service) == null) {
      issued.add(service);
      tokens.addToken(
          service, new Token<>(service.getBytes(), new byte[issued.size()], service, service));
    }
  }

  private void issueWithoutKms(Credentials round) throws IOException {
    issue(HDFS);
    throw new IOException("The KMS does not answer");
  }

  @Test
  void tokensOfAFailedTryAreKeptAndRenewed() throws Exception {
    List<Text> renewed = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(
              () ->
                  TokenRenewal.complete(
                      tokens,
                      this::issueWithoutKms,
                      token -> {
                        renewed.add(token.getService());
                        return DAY;
                      }))
          .hasMessage("The KMS does not answer");
    }
    assertThat(issued).containsExactly(HDFS);
    assertThat(renewed).containsExactly(HDFS, HDFS, HDFS);

    long end =
        TokenRenewal.complete(
            tokens,
            round -> {
              issue(HDFS);
              issue(KMS);
            },
            token -> token.getService().equals(KMS) ? DAY : 2 * DAY);

    assertThat(issued).containsExactly(HDFS, KMS);
    assertThat(end).isEqualTo(DAY);
  }

  @Test
  void tokenThatHasEndedBetweenTriesIsRequestedAgain() throws Exception {
    assertThatThrownBy(
            () ->
                TokenRenewal.complete(
                    tokens,
                    round -> issue(HDFS),
                    token -> {
                      throw new IOException("it has ended");
                    }))
        .hasMessage("it has ended");

    assertThat(TokenRenewal.complete(tokens, round -> issue(HDFS), token -> DAY)).isEqualTo(DAY);
    assertThat(issued).containsExactly(HDFS, HDFS);
  }

  @Test
  void keysAreRefusedWithoutKerberos() {
    Configuration conf = new Configuration(false);
    UserKeytab keytab = new UserKeytab("ann@EXAMPLE.COM", Path.of("/missing"));

    assertThatThrownBy(() -> keytab.login(conf))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("leave out --keytab");
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
