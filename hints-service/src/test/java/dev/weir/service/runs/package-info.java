@NullMarked
package dev.weir.service.runs;

import org.jspecify.annotations.NullMarked;
