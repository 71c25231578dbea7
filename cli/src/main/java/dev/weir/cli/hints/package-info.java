/** The commands that say what a path is for, and ask where bytes are. */
@NullMarked
package dev.weir.cli.hints;

import org.jspecify.annotations.NullMarked;
