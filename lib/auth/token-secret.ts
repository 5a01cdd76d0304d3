import { createHash, randomBytes } from 'node:crypto';

/** An API token: told apart from other keys by its first letters, so that scanners of leaked keys can know it. */
const FORM = /^hone_[A-Za-z0-9_-]{43}$/;

/** Makes a token of 256 random bits. */
export function makeToken(): string {
  return `hone_${randomBytes(32).toString('base64url')}`;
}

/** What is kept of a token: SHA-256 in hexadecimal. With 256 random bits it needs no salt and no slow hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The token of an `Authorization` header; null where it is of another scheme. Empty where it is no token of Hone. */
export function bearerToken(authorization: string | null): string | null {
  const given = /^bearer(?: +(.*))?$/is.exec(authorization?.trim() ?? '');
  if (given === null) return null;
  const token = (given[1] ?? '').trim();
  return FORM.test(token) ? token : '';
}
