/** Text utilities: printable text, patterns of names, and messages of exceptions. */
@NullMarked
package dev.weir.workflow.text;

import org.jspecify.annotations.NullMarked;
