/** What may be shown of texts that others have written, and patterns of names. */
@NullMarked
package dev.weir.workflow.text;

import org.jspecify.annotations.NullMarked;
