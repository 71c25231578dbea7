/** The command that runs a workflow. */
@NullMarked
package dev.weir.cli.run;

import org.jspecify.annotations.NullMarked;
