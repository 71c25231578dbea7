package dev.weir.service.access;

/**
 * The access of the service's parts to file systems and permissions.
 *
 * @param callers the file systems as the callers see them
 * @param authorizer decides who may write which rule
 */
public record FileSystemAccess(CallerFileSystems callers, Authorizer authorizer) {}
