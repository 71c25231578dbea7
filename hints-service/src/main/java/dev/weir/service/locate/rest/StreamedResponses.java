package dev.weir.service.locate.rest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import javax.ws.rs.core.StreamingOutput;

/** Responses that are written while they are sent, because they may be long. */
final class StreamedResponses {
  private static final JsonFactory JSON = new JsonFactory();

  private StreamedResponses() {}

  /** Returns an object whose fields are written while it is sent. */
  static StreamingOutput object(Fields fields) {
    return out -> {
      try (JsonGenerator json = JSON.createGenerator(out)) {
        json.writeStartObject();
        fields.write(json);
        json.writeEndObject();
      }
    };
  }

  /** Writes the fields of an object. */
  @FunctionalInterface
  interface Fields {
    void write(JsonGenerator json) throws IOException;
  }
}
