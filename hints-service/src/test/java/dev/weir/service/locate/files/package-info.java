@NullMarked
package dev.weir.service.locate.files;

import org.jspecify.annotations.NullMarked;
