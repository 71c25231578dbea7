/**
 * The client of the hints service over REST: {@link dev.weir.hints.client.HintsClient} for programs
 * that want to know what went wrong, {@link dev.weir.hints.client.BestEffortHintsClient} for I/O
 * paths, where no answer means no hint.
 */
@NullMarked
package dev.weir.hints.client;

import org.jspecify.annotations.NullMarked;
