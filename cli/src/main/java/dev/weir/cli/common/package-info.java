/** Options, output and exit codes that commands share. */
@NullMarked
package dev.weir.cli.common;

import org.jspecify.annotations.NullMarked;
