/** How files came to be: what a run tells the hints service of itself, and what that answers. */
@NullMarked
package dev.weir.workflow.provenance;

import org.jspecify.annotations.NullMarked;
