/** Commands for hints, locations and provenance. */
@NullMarked
package dev.weir.cli.hints;

import org.jspecify.annotations.NullMarked;
