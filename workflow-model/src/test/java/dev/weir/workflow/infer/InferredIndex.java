package dev.weir.workflow.infer;

import dev.weir.hints.HintSet;
import dev.weir.hints.index.HintIndex;
import java.util.List;

/** Finds inferred hints by path, as a NameNode does. */
final class InferredIndex {

  private InferredIndex() {}

  static HintIndex index(List<InferredHint> hints) {
    return HintIndex.of(
        List.of(new HintSet("s", "u", null, hints.stream().map(InferredHint::rule).toList())));
  }
}
