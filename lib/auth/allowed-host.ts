import type { HostRules } from './host-rules.ts';

/**
 * Whether a request's Host header names this app. A page of another site that points its name at this machine
 * (DNS rebinding) sends its own name here, so only the names in the list are answered. Case does not matter;
 * every other spelling of an allowed host (trailing dot, user info, long IPv6 form) is refused.
 */
export function allowedHost(host: string | null, doors: HostRules): boolean {
  return host !== null && doors.hosts.includes(host.toLowerCase());
}
