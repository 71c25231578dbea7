/** Published recordings of workflows, replayed by stand-ins that move the recorded bytes. */
@NullMarked
package dev.weir.bench.traces;

import org.jspecify.annotations.NullMarked;
