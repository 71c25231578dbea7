package dev.weir.workflow.record;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.model.JsonPlace;
import dev.weir.workflow.record.PlacementReason.Candidate;
import dev.weir.workflow.record.PlacementReason.Decision;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Reads and writes the reason of a placement, as a part of an attempt. */
final class PlacementReasonCodec {

  private static final String PLACEMENT = "placement";
  private static final String DECISION = "decision";
  private static final String INPUT_BYTES = "input-bytes";
  private static final String RATE = "bytes-per-second";
  private static final String CANDIDATES = "candidates";
  private static final String WAIT = "wait-millis";

  private PlacementReasonCodec() {}

  static void put(ObjectNode attempt, PlacementReason placement) {
    ObjectNode node = attempt.putObject(PLACEMENT).put(DECISION, label(placement.decision()));
    if (placement.inputBytes() > 0) {
      node.put(INPUT_BYTES, placement.inputBytes()).put(RATE, placement.bytesPerSecond());
    }
    if (!placement.candidates().isEmpty()) {
      ArrayNode candidates = node.putArray(CANDIDATES);
      for (Candidate candidate : placement.candidates()) {
        ObjectNode entry =
            candidates.addObject().put("node", candidate.node()).put("bytes", candidate.bytes());
        if (candidate.waitMillis() > 0) {
          entry.put(WAIT, candidate.waitMillis());
        }
      }
    }
  }

  static PlacementReason read(JsonPlace attempt) throws IOException {
    if (!attempt.has(PLACEMENT)) {
      return PlacementReason.UNKNOWN;
    }
    JsonPlace at = attempt.at(PLACEMENT);
    List<Candidate> candidates = new ArrayList<>();
    for (JsonPlace candidate : at.optionalList(CANDIDATES)) {
      candidates.add(
          new Candidate(
              candidate.at("node").string("give a string"),
              candidate.at("bytes").integer(),
              candidate.has(WAIT) ? candidate.at(WAIT).integer() : 0));
    }
    return new PlacementReason(
        at.at(DECISION).parsed(PlacementReasonCodec::decision),
        at.has(INPUT_BYTES) ? at.at(INPUT_BYTES).integer() : 0,
        at.has(RATE) ? at.at(RATE).integer() : 0,
        candidates);
  }

  private static String label(Decision decision) {
    return decision.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Decision decision(String label) {
    // Other versions of Weir have other decisions.
    return Stream.of(Decision.values())
        .filter(known -> label(known).equals(label))
        .findFirst()
        .orElse(Decision.UNKNOWN);
  }
}
