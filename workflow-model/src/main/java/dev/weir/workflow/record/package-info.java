/**
 * The record of a run: its workers and attempts, the durations of their phases and the bytes that
 * they moved.
 */
@NullMarked
package dev.weir.workflow.record;

import org.jspecify.annotations.NullMarked;
