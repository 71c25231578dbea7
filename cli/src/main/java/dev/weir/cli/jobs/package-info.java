/**
 * {@code weir session} and {@code weir job}: single jobs for engines that schedule their tasks
 * themselves.
 */
@NullMarked
package dev.weir.cli.jobs;

import org.jspecify.annotations.NullMarked;
