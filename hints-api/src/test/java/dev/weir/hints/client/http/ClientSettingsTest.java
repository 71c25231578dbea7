package dev.weir.hints.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientSettingsTest {
  private final Configuration configuration = new Configuration(false);

  @Test
  void isDisabledWithoutUrl() {
    ClientSettings settings = ClientSettings.from(configuration);
    assertThat(settings.isEnabled()).isFalse();
    assertThat(settings.connectTimeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.patience()).isEqualTo(Duration.ofSeconds(60));
    assertThat(settings.attempts()).isEqualTo(4);
  }

  @Test
  void readsUrlsAndDurations() {
    configuration.set(ClientSettings.URL_KEY, "http://a:9880/, https://b:9881/weir");
    configuration.set(ClientSettings.TIMEOUT_KEY, "5s");
    ClientSettings settings = ClientSettings.from(configuration);
    assertThat(settings.urls())
        .containsExactly(URI.create("http://a:9880"), URI.create("https://b:9881/weir"));
    assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"host:9880", "ftp://host", "http://", "/v1", "http://a b", "http://a?x"})
  void rejectsInvalidUrlWithKey(String url) {
    configuration.set(ClientSettings.URL_KEY, url);
    assertThatThrownBy(() -> ClientSettings.from(configuration))
        .hasMessageContaining("weir.server.url has '" + url)
        .hasMessageContaining("http://host:9880");
  }

  @Test
  void rejectsInvalidDurationWithKey() {
    configuration.set(ClientSettings.TIMEOUT_KEY, "soon");
    assertThatThrownBy(() -> ClientSettings.from(configuration))
        .hasMessageContaining("weir.client.server.timeout is 'soon'");
    configuration.set(ClientSettings.TIMEOUT_KEY, "0");
    assertThatThrownBy(() -> ClientSettings.from(configuration))
        .hasMessageContaining("write a positive value");
  }
}
