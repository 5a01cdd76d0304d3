import { createHash, randomBytes } from 'node:crypto';

const FORM = /^[A-Za-z0-9_-]{43}$/;

/** A new token of 256 random bits, what is kept of it (SHA-256 in hexadecimal), and the path that it stands in. */
export function makeLinkToken(): { hash: string; path: string } {
  const token = randomBytes(32).toString('base64url');
  return { hash: hashLinkToken(token) ?? '', path: `/join/${token}` };
}

/** What is kept of a token; null where it has not the form of one. */
export function hashLinkToken(token: string): string | null {
  return FORM.test(token) ? createHash('sha256').update(token).digest('hex') : null;
}
