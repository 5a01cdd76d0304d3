/** Where clients reach the database of a server of Hone's own, by its socket. */
export function socketAddress(socketFolder: string, password: string, database: string): string {
  return `postgresql://hone:${password}@localhost:5432/${database}?host=${encodeURIComponent(socketFolder)}`;
}
