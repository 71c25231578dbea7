package dev.weir.cli.hints;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.cli.common.Json;
import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import java.io.IOException;

/** Formats a hint set as a file, with hints in short form where possible. */
final class SetFile {
  private SetFile() {}

  static String of(HintSet set) throws IOException {
    ObjectNode json = (ObjectNode) Json.parse(HintCodec.toJson(set));
    for (int i = 0; i < set.rules().size(); i++) {
      String text = HintText.format(set.rules().get(i).hint());
      if (!text.startsWith("{")) {
        ((ObjectNode) json.path("rules").path(i)).put("hint", text);
      }
    }
    return Json.pretty(json);
  }
}
