package dev.weir.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;

class CloseRetryConfigTest {

  @Test
  void asksAgainSoonAndGivesUpNoEarlier() {
    Configuration stock = new HdfsConfiguration();
    Configuration quick = CloseRetryConfig.applyTo(stock);

    assertThat(delay(quick)).isLessThan(delay(stock) / 10);
    assertThat(patience(quick)).isBetween(patience(stock), 2 * patience(stock));
    assertThat(quick.get("dfs.replication")).isEqualTo(stock.get("dfs.replication"));
  }

  @Test
  void leavesTheGivenConfigurationAlone() {
    Configuration stock = new HdfsConfiguration();
    CloseRetryConfig.applyTo(stock);

    assertThat(delay(stock)).isEqualTo(400);
  }

  @Test
  void worksWithoutHadoopsDefaults() {
    assertThat(CloseRetryConfig.applyTo(new Configuration(false)).get(CloseRetryConfig.DELAY_KEY))
        .isEqualTo("25");
  }

  @Test
  void leavesWhatSomebodyChose() {
    Configuration chosen = new HdfsConfiguration();
    chosen.set(CloseRetryConfig.RETRIES_KEY, "5");

    assertThat(CloseRetryConfig.applyTo(chosen)).isSameAs(chosen);
  }

  private static int delay(Configuration conf) {
    return conf.getInt(CloseRetryConfig.DELAY_KEY, 400);
  }

  /** How long a client waits in all, each time twice as long as before. */
  private static long patience(Configuration conf) {
    return (long) delay(conf) * ((1L << conf.getInt(CloseRetryConfig.RETRIES_KEY, 5)) - 1);
  }
}
