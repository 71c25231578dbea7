/** {@code weir workflow}: looks at workflow files and converts them. */
@NullMarked
package dev.weir.cli.workflow;

import org.jspecify.annotations.NullMarked;
