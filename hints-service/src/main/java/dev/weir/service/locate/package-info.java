/** Where files are, which nodes are best for them, and why they are there. */
@NullMarked
package dev.weir.service.locate;

import org.jspecify.annotations.NullMarked;
