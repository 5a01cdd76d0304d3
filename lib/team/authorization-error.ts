type Code = 'unauthorized' | 'forbidden' | 'rate_limited';
const CODES = { 401: 'unauthorized', 403: 'forbidden', 429: 'rate_limited' } as const satisfies Record<number, Code>;

/** What app/error.tsx knows such an error by: in production its words don't reach the browser. */
export const AUTHORIZATION_DIGESTS = {
  unauthorized: 'HONE_UNAUTHORIZED',
  forbidden: 'HONE_FORBIDDEN',
  rate_limited: 'HONE_RATE_LIMITED',
} as const satisfies Record<Code, string>;

/** Somebody asked for what they may not have. `status` is the HTTP status to answer with. */
export class AuthorizationError extends Error {
  readonly status: keyof typeof CODES;
  readonly code: Code;
  readonly digest: string;

  constructor(status: keyof typeof CODES, message: string) {
    super(message);
    this.name = 'AuthorizationError';
    this.status = status;
    this.code = CODES[status];
    this.digest = AUTHORIZATION_DIGESTS[this.code];
  }
}
