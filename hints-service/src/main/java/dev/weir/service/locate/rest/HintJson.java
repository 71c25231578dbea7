package dev.weir.service.locate.rest;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.hints.Hint;
import dev.weir.hints.HintCodec;
import dev.weir.hints.HintText;
import java.io.IOException;

/** Writes hints in responses. */
final class HintJson {
  private HintJson() {}

  static void write(Hint hint, JsonGenerator json) throws IOException {
    json.writeFieldName("hint");
    json.writeRawValue(HintCodec.hintToJson(hint));
    json.writeStringField("text", HintText.format(hint));
  }
}
