/** What the readers of workflow files share: their contract, the draft they fill, its places. */
@NullMarked
package dev.weir.workflow.format;

import org.jspecify.annotations.NullMarked;
