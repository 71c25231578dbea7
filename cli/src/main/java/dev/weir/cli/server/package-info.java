/** The command that runs the hints service. */
@NullMarked
package dev.weir.cli.server;

import org.jspecify.annotations.NullMarked;
