@NullMarked
package dev.weir.service.zk;

import org.jspecify.annotations.NullMarked;
