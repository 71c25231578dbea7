/** Explains where the blocks of a file are and why they differ from the file's hint. */
@NullMarked
package dev.weir.service.locate.explain;

import org.jspecify.annotations.NullMarked;
