@NullMarked
package dev.weir.service.locate;

import org.jspecify.annotations.NullMarked;
