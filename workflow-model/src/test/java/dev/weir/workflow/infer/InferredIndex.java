package dev.weir.workflow.infer;

import dev.weir.hints.HintSet;
import dev.weir.hints.index.HintIndex;
import java.util.List;

/** Inferred hints as a NameNode finds them: by the path of a file. */
final class InferredIndex {

  private InferredIndex() {}

  static HintIndex index(List<InferredHint> hints) {
    return HintIndex.of(
        List.of(new HintSet("s", "u", null, hints.stream().map(InferredHint::rule).toList())));
  }
}
