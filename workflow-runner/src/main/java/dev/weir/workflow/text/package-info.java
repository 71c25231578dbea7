/** What may be shown of texts that others have written. */
@NullMarked
package dev.weir.workflow.text;

import org.jspecify.annotations.NullMarked;
