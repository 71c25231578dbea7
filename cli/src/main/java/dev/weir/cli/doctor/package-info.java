/** {@code weir doctor}: checks whether a running cluster follows hints, and prints remedies. */
@NullMarked
package dev.weir.cli.doctor;

import org.jspecify.annotations.NullMarked;
