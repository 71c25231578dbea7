@NullMarked
package dev.weir.service.auto;

import org.jspecify.annotations.NullMarked;
