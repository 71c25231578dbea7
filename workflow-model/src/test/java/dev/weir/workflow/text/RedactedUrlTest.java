package dev.weir.workflow.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactedUrlTest {

  @ParameterizedTest
  @CsvSource({
    "https://host/a/b.fa, https://host/a/b.fa",
    "https://ann:pass@host:8443/a, https://host:8443/a",
    "https://ann:p@ss@host/a, https://host/a",
    "https://host/a?X-Amz-Signature=123#part, https://host/a?...",
    "https://host/a#token, https://host/a",
    "s3a://bucket/a@b, s3a://bucket/a@b",
    "file:/a, file:/a",
    "no url with a secret, ...",
  })
  void removesUserQueryAndFragment(String url, String redacted) {
    assertThat(RedactedUrl.of(url)).isEqualTo(redacted);
    assertThat(RedactedUrl.of(redacted)).isEqualTo(redacted);
    assertThat(RedactedUrl.hasSecret(url)).isEqualTo(!url.equals(redacted));
  }

  @Test
  void removesThePathOfWebhooks() {
    assertThat(RedactedUrl.hostOf("https://u@hooks.host:1/services/TOKEN?x"))
        .isEqualTo("https://hooks.host:1/...");
  }
}
