/**
 * What may be shown of texts that others have written, patterns of names, and what went wrong in
 * words.
 */
@NullMarked
package dev.weir.workflow.text;

import org.jspecify.annotations.NullMarked;
