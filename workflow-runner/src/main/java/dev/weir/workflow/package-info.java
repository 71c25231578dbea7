/** Running workflows on YARN. */
@NullMarked
package dev.weir.workflow;

import org.jspecify.annotations.NullMarked;
