/**
 * {@code weir doctor}: whether a running cluster follows hints, and what to do where it does not.
 */
@NullMarked
package dev.weir.cli.doctor;

import org.jspecify.annotations.NullMarked;
