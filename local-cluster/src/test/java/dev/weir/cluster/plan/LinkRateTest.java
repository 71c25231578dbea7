package dev.weir.cluster.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkRateTest {
  @ParameterizedTest
  @CsvSource({
    "200mbit, 200000000, 200mbit",
    "1gbit, 1000000000, 1gbit",
    "1.5gbit, 1500000000, 1500mbit",
    "' 512KBIT ', 512000, 512kbit",
    "1000000bit, 1000000, 1mbit",
    "100001bit, 100001, 100001bit",
    "unlimited, 0, unlimited"
  })
  void ratesRoundTrip(String text, long bits, String written) {
    LinkRate rate = LinkRate.parse(text);
    assertThat(rate.bitsPerSecond()).isEqualTo(bits);
    assertThat(rate).hasToString(written);
    assertThat(LinkRate.parse(rate.toString())).isEqualTo(rate);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "fast", "200", "-1mbit", "1.mbit", "10 mbit", "5tbit"})
  void invalidRatesAreRefusedWithAnExample(String text) {
    assertThatThrownBy(() -> LinkRate.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("200mbit");
  }

  @Test
  void bpsIsRefusedAsAmbiguous() {
    assertThatThrownBy(() -> LinkRate.parse("100mbps"))
        .hasMessageContaining("write bits, as in 200mbit");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0mbit", "99kbit", "101gbit", "99999999999999999999gbit"})
  void ratesOutOfRangeAreRefused(String text) {
    assertThatThrownBy(() -> LinkRate.parse(text)).hasMessageContaining("from 100kbit to 100gbit");
  }

  @ParameterizedTest
  @CsvSource({"1gbit, 1250000, 7500000", "100mbit, 125000, 756072", "10mbit, 16384, 193572"})
  void burstAndQueueFollowTheRate(String text, long burst, long queue) {
    LinkRate rate = LinkRate.parse(text);
    assertThat(rate.burstBytes()).isEqualTo(burst);
    assertThat(rate.queueBytes()).isEqualTo(queue);
  }
}
