/**
 * The client of the hints service's REST API: {@link dev.weir.hints.client.HintsClient} for
 * programs that handle failures, {@link dev.weir.hints.client.BestEffortHintsClient} for I/O paths,
 * where no answer means no hint.
 */
@NullMarked
package dev.weir.hints.client;

import org.jspecify.annotations.NullMarked;
