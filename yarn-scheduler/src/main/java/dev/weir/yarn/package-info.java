/**
 * The two classes that the ResourceManager loads by name. They adapt YARN's interfaces to the
 * packages below.
 */
@NullMarked
package dev.weir.yarn;

import org.jspecify.annotations.NullMarked;
