import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { currentDoors } from '#lib/team/current-doors.ts';
import { findRefusal } from '#lib/team/find-refusal.ts';
import { contentSecurityPolicy, DATA_POLICY, SECURITY_HEADERS } from '#lib/team/security-headers.ts';

/**
 * Stands before everything, pages, static files and the API alike: refuses foreign hosts, and writes from foreign origins;
 * gives each page the nonce its scripts need (request header `x-nonce`) and each answer its security headers.
 */
export function proxy(request: NextRequest): NextResponse {
  const { headers } = request;
  const refusal = findRefusal(
    { headers, writes: !['GET', 'HEAD', 'OPTIONS'].includes(request.method) },
    currentDoors(),
  );
  if (refusal !== null) return refuse(refusal);
  if (request.nextUrl.pathname.startsWith('/api/')) return withSecurity(NextResponse.next(), DATA_POLICY);
  const nonce = randomBytes(16).toString('base64');
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === 'development');
  const passedOn = new Headers(headers);
  passedOn.set('x-nonce', nonce);
  passedOn.set('content-security-policy', policy);
  return withSecurity(NextResponse.next({ request: { headers: passedOn } }), policy);
}

/** Behind a proxy bodies are cut off at 10 MB. Uploads of datasets, lessons and runs may be larger, so those routes look after their doors themselves. */
export const config = {
  matcher: [
    '/((?!api/v1/datasets$|api/v1/datasets/preview$|api/v1/datasets/[^/]+/cases$|api/v1/lessons/import$|api/v1/runs/import$).*)',
  ],
};

function refuse(message: string): NextResponse {
  return withSecurity(NextResponse.json({ error: { code: 'forbidden', message } }, { status: 403 }), DATA_POLICY);
}

function withSecurity(response: NextResponse, policy: string): NextResponse {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
  response.headers.set('Content-Security-Policy', policy);
  return response;
}
