import { randomUUID } from 'node:crypto';

/** Writes a bug to the log under a new id, without what looks like a key or a password, and answers the id. */
export function logBug(error: unknown): string {
  const id = randomUUID();
  const said = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
  console.error(`[${id}] ${withoutSecrets(said)}`);
  return id;
}

/** Takes out keys by their common forms, passwords in addresses and authorization headers; keeps at most 4,000 characters. */
export function withoutSecrets(text: string): string {
  return text
    .slice(0, 4_000)
    .replace(/\b(?:sk|pk|rk|key|hone|xai|gsk|AIza)[-_A-Za-z0-9]{12,}/g, '[key]')
    .replace(/(\/\/[^\s/:@]+:)[^\s@]+@/g, '$1[password]@')
    .replace(/\b(bearer|basic)\s+[^\s"',]+/gi, '$1 [token]')
    .replace(/("?(?:api[-_]?key|password|secret|token)"?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,}]+)/gi, '$1[secret]');
}
