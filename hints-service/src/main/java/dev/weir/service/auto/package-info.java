/** Decides how many replicas files earn by their use. */
@NullMarked
package dev.weir.service.auto;

import org.jspecify.annotations.NullMarked;
