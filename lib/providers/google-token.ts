import { createSign } from 'node:crypto';
import { APICallError } from '@ai-sdk/provider';
import { z } from 'zod';
import { parseJson } from '#lib/core/json-values.ts';

const serviceAccountSchema = z.object({
  client_email: z.string().min(1),
  private_key: z.string().includes('PRIVATE KEY'),
  private_key_id: z.string().optional(),
  token_uri: z.url({ protocol: /^https?$/ }).default('https://oauth2.googleapis.com/token'),
});
export type ServiceAccount = z.infer<typeof serviceAccountSchema>;

/** Parses the JSON key of a service account. Returns null for any other key. */
export function readServiceAccount(key: string): ServiceAccount | null {
  return serviceAccountSchema.safeParse(parseJson(key)).data ?? null;
}

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const ASSERTION_SECONDS = 3_600;
/** Time before expiry at which a token is renewed, in milliseconds. */
const RENEWED_BEFORE_MS = 120_000;

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() });

/**
 * Returns a function for the access token of a service account. It requests a new token shortly before expiry, and only one for concurrent
 * calls. Source: Google, OAuth 2.0 for server to server applications.
 */
export function accessTokens(account: ServiceAccount, fetch: typeof globalThis.fetch) {
  let cached: { token: Promise<string>; endsAt: number } | null = null;
  return (): Promise<string> => {
    if (cached !== null && cached.endsAt > Date.now()) return cached.token;
    const requested = { endsAt: Number.POSITIVE_INFINITY, token: Promise.resolve('') };
    requested.token = requestToken(account, fetch, Date.now()).then(
      ({ access_token, expires_in }) => {
        requested.endsAt = Date.now() + expires_in * 1_000 - RENEWED_BEFORE_MS;
        return access_token;
      },
      (error: unknown) => {
        if (cached === requested) cached = null;
        throw error;
      },
    );
    cached = requested;
    return requested.token;
  };
}

/** Timeout of a token request, in milliseconds. */
const TOKEN_MS = 30_000;

async function requestToken(account: ServiceAccount, fetch: typeof globalThis.fetch, nowMs: number) {
  const { token_uri: url } = account;
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: assertionOf(account, Math.floor(nowMs / 1_000)),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(url, {
    ...{ method: 'POST', headers, body: body.toString() },
    signal: AbortSignal.timeout(TOKEN_MS),
  });
  const text = await response.text();
  const read = response.ok ? tokenSchema.safeParse(JSON.parse(text)) : null;
  if (read?.success) return read.data;
  throw new APICallError({
    message: 'Google returned no access token for the service account.',
    url,
    requestBodyValues: {},
    // Google responds with 400 if the key was deleted.
    statusCode: response.status === 400 ? 401 : response.status,
    responseBody: text,
  });
}

/** Creates the signed JSON Web Token with which a service account requests an access token. */
function assertionOf(
  { client_email, private_key, private_key_id, token_uri }: ServiceAccount,
  seconds: number,
): string {
  const header = { alg: 'RS256', typ: 'JWT', ...(private_key_id !== undefined && { kid: private_key_id }) };
  const claims = { iss: client_email, scope: SCOPE, aud: token_uri, iat: seconds, exp: seconds + ASSERTION_SECONDS };
  const parts = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${parts}.${createSign('RSA-SHA256').update(parts).sign(private_key, 'base64url')}`;
}
