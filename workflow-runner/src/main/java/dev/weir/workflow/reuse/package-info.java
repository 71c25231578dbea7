/** What earlier runs have done and need not be done again. */
@NullMarked
package dev.weir.workflow.reuse;

import org.jspecify.annotations.NullMarked;
