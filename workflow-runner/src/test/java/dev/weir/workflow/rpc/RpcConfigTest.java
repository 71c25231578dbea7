package dev.weir.workflow.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.protocol.TaskOrder;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RpcConfigTest {

  private final Configuration conf = new Configuration(false);

  @Test
  void defaultsAreTheClustersProtectionAndAMinute() {
    assertThat(RpcConfig.of(conf))
        .isEqualTo(new RpcConfig("authentication", Duration.ofMinutes(1)));
    conf.set(CommonConfigurationKeysPublic.HADOOP_RPC_PROTECTION, "privacy,integrity");
    assertThat(RpcConfig.of(conf).protection()).isEqualTo("privacy,integrity");
  }

  @Test
  void ownKeysTakePrecedence() {
    conf.set(CommonConfigurationKeysPublic.HADOOP_RPC_PROTECTION, "privacy");
    conf.set(RpcConfig.PROTECTION_KEY, "integrity");
    conf.set(RpcConfig.SILENCE_KEY, "90s");
    assertThat(RpcConfig.of(conf)).isEqualTo(new RpcConfig("integrity", Duration.ofSeconds(90)));
  }

  @ParameterizedTest
  @CsvSource({
    "authentication,'',false,false",
    "authentication,authentication,false,false",
    "integrity,'',false,true",
    "privacy,'',false,true",
    "'authentication,integrity','',false,true",
    "authentication,integrity,false,true",
    "authentication,'authentication,privacy',false,true",
    "authentication,'',true,true"
  })
  void cachesUseTlsIfTheChannelOrHdfsIsProtected(
      String channel, String data, boolean encrypted, boolean protects) {
    conf.set("dfs.data.transfer.protection", data);
    conf.setBoolean("dfs.encrypt.data.transfer", encrypted);

    assertThat(new RpcConfig(channel, Duration.ofMinutes(1)).protectsCaches(conf))
        .isEqualTo(protects);
  }

  @Test
  void invalidValueIsReportedWithItsKey() {
    conf.set(RpcConfig.PROTECTION_KEY, "secret");
    assertThatThrownBy(() -> RpcConfig.of(conf)).hasMessage("weir.rpc.protection = secret");
    conf.unset(RpcConfig.PROTECTION_KEY);
    conf.set(RpcConfig.SILENCE_KEY, "1ms");
    assertThatThrownBy(() -> RpcConfig.of(conf)).hasMessageContaining("weir.worker.silence");
  }

  @Test
  void workerDetectsACutLinkBeforeItCountsAsLost() {
    for (int seconds : new int[] {1, 10, 60, 3_600}) {
      RpcConfig config = new RpcConfig("privacy", Duration.ofSeconds(seconds));
      assertThat(config.pollMillis()).isLessThan(config.timeoutMillis() / 2);
      assertThat((long) config.timeoutMillis())
          .isLessThanOrEqualTo(config.silence().toMillis() / 3)
          .isLessThanOrEqualTo(TaskOrder.LINK_TIMEOUT_MILLIS);
    }
  }
}
