/** Reads workflow files of all supported formats. */
@NullMarked
package dev.weir.workflow.imports;

import org.jspecify.annotations.NullMarked;
