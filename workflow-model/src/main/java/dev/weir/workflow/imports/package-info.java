/** Reading a workflow file of whatever format. */
@NullMarked
package dev.weir.workflow.imports;

import org.jspecify.annotations.NullMarked;
