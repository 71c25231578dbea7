@NullMarked
package dev.weir.service.locate.explain;

import org.jspecify.annotations.NullMarked;
