/**
 * Commands that show and steer runs: {@code weir runs}, {@code status}, {@code logs}, {@code
 * pause}.
 */
@NullMarked
package dev.weir.cli.steer;

import org.jspecify.annotations.NullMarked;
