package dev.weir.service.locate.rest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import javax.ws.rs.core.StreamingOutput;

/** Answers that are too long to be made before they are sent. */
final class StreamedResponses {
  private static final JsonFactory JSON = new JsonFactory();

  private StreamedResponses() {}

  /** An object whose fields are written as they are sent. */
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
    /** Writes them. */
    void write(JsonGenerator json) throws IOException;
  }
}
