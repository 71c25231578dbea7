package dev.weir.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void copiedNodeEqualsAParsedOne() throws IOException {
    String json =
        "{\"a\":[1,2.50,{\"b\":\"ä\\n\"},[],{}],\"c\":null,\"d\":{},\"e\":123456789012345678901}";
    StringWriter copied = new StringWriter();
    Json.copyPretty(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), copied);
    assertThat(copied.toString()).isEqualTo(Json.pretty(Json.parse(json)));
  }
}
