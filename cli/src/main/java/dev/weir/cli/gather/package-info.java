/** The {@code weir gather} commands. */
@NullMarked
package dev.weir.cli.gather;

import org.jspecify.annotations.NullMarked;
