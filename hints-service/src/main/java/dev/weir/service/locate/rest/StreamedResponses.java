package dev.weir.service.locate.rest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import javax.ws.rs.core.StreamingOutput;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;

/** Responses that are written while they are sent, because they may be long. */
final class StreamedResponses {
  private static final JsonFactory JSON = new JsonFactory();

  private StreamedResponses() {}

  /** Returns an object whose fields are written while it is sent. */
  static StreamingOutput object(ConsumerRaisingIOE<JsonGenerator> fields) {
    return out -> {
      try (JsonGenerator json = JSON.createGenerator(out)) {
        json.writeStartObject();
        fields.accept(json);
        json.writeEndObject();
      }
    };
  }
}
