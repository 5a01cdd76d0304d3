import type { HostRules } from './host-rules.ts';

/**
 * Returns the Content Security Policy of a page whose scripts and styles have `nonce`. In development it also allows eval for React refresh
 * and inline styles for the error overlay.
 */
export function contentSecurityPolicy(nonce: string, development: boolean): string {
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? ` 'unsafe-eval'` : ''}`,
    development ? `style-src 'self' 'unsafe-inline'` : `style-src 'self' 'nonce-${nonce}'`,
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' blob: data:`,
    `connect-src 'self'`,
    `object-src 'none'`,
    `base-uri 'self'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

/** Returns the headers of every response except the policy. If APP_URL uses https, they include HSTS for a year. */
export function securityHeaders({ appOrigin }: Pick<HostRules, 'appOrigin'>): Readonly<Record<string, string>> {
  return appOrigin?.startsWith('https:') ? { ...ALWAYS, 'Strict-Transport-Security': 'max-age=31536000' } : ALWAYS;
}

const ALWAYS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
};

/** Policy of data responses: nothing in them may run, load or be framed. */
export const DATA_POLICY = `default-src 'none'; frame-ancestors 'none'`;
