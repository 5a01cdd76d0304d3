/** The host and port of an address, for people and logs: the rest of it may hold a password or a key. Null for what is no address. */
export function hostOf(url: string | null | undefined): string | null {
  return url === null || url === undefined ? null : (URL.parse(url)?.host ?? null);
}
