import { randomUUID } from 'node:crypto';
import { getLog } from '#lib/log/log.ts';

/** Writes a bug to the log under a new id, without what looks like a key or a password, and answers the id. */
export function logBug(error: unknown): string {
  const id = randomUUID();
  getLog().error(`[${id}]`, error);
  return id;
}
