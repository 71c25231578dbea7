@NullMarked
package dev.weir.workflow.estimate;

import org.jspecify.annotations.NullMarked;
