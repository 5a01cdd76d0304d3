import { createHash, randomBytes } from 'node:crypto';

/** Format of an API token. The prefix lets scanners of leaked keys recognize it. */
const FORM = /^hone_[A-Za-z0-9_-]{43}$/;

/** Creates a token of 256 random bits. */
export function makeToken(): string {
  return `hone_${randomBytes(32).toString('base64url')}`;
}

/** Returns the stored form of a token: its hexadecimal SHA-256. With 256 random bits, no salt or slow hash is needed. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Returns the token of an `Authorization` header. Null for another scheme, empty if it is not a token of Hone. */
export function bearerToken(authorization: string | null): string | null {
  const given = /^bearer(?: +(.*))?$/is.exec(authorization?.trim() ?? '');
  if (given === null) return null;
  const token = (given[1] ?? '').trim();
  return FORM.test(token) ? token : '';
}
