/** What users of the hints service are promised, on real daemons. */
package dev.weir.it.service;
