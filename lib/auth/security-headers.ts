import type { HostRules } from './host-rules.ts';

/**
 * The content security policy of a page whose scripts and styles carry `nonce`. In development React's refresh evaluates
 * text and the overlay writes styles of its own; both are allowed there only.
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

/** What every answer carries beside the policy. Where people come by https (APP_URL), browsers are told to come by nothing else for a year. */
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

/** The policy of answers that are data: nothing in them may run, load or be framed. */
export const DATA_POLICY = `default-src 'none'; frame-ancestors 'none'`;
