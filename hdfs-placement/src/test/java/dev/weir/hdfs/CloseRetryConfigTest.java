package dev.weir.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;

class CloseRetryConfigTest {

  @Test
  void retriesSoonerWithoutGivingUpEarlier() {
    Configuration stock = new HdfsConfiguration();
    Configuration adjusted = CloseRetryConfig.applyTo(stock);

    assertThat(delay(adjusted)).isLessThan(delay(stock) / 10);
    assertThat(totalDelay(adjusted)).isBetween(totalDelay(stock), 2 * totalDelay(stock));
    assertThat(adjusted.get("dfs.replication")).isEqualTo(stock.get("dfs.replication"));
  }

  @Test
  void doesNotChangeTheGivenConfiguration() {
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
  void keepsExplicitSettings() {
    Configuration chosen = new HdfsConfiguration();
    chosen.set(CloseRetryConfig.RETRIES_KEY, "5");

    assertThat(CloseRetryConfig.applyTo(chosen)).isSameAs(chosen);
  }

  private static int delay(Configuration conf) {
    return conf.getInt(CloseRetryConfig.DELAY_KEY, 400);
  }

  /** The sum of all delays, each twice the one before. */
  private static long totalDelay(Configuration conf) {
    return (long) delay(conf) * ((1L << conf.getInt(CloseRetryConfig.RETRIES_KEY, 5)) - 1);
  }
}
