package dev.weir.service.access;

/**
 * How parts of the service access file systems and check permissions.
 *
 * @param callers the file systems as the callers see them
 * @param authorizer decides who may write which rule
 */
public record FileSystemAccess(CallerFileSystems callers, Authorizer authorizer) {}
