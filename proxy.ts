import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import type { Admission } from '#lib/auth/find-page-entry.ts';
import { currentHostRules, findRefusal } from '#lib/auth/host-rules.ts';
import { isTeamMode } from '#lib/auth/mode.ts';
import { STATUS_HEADER } from '#lib/auth/page-request-kind.ts';
import { contentSecurityPolicy, DATA_POLICY, securityHeaders } from '#lib/auth/security-headers.ts';
import { PATH_HEADER } from '#lib/auth/sign-in/sign-in-path.ts';

/**
 * Stands before everything, pages, static files and the API alike: refuses foreign hosts, and writes from foreign origins;
 * gives each page the nonce its scripts need (request header `x-nonce`) and each answer its security headers. In team mode it leads
 * strangers to the sign-in and shows members what they may not open as such, with its status; the pages look again themselves.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { headers } = request;
  const refusal = findRefusal(
    { headers, writes: !['GET', 'HEAD', 'OPTIONS'].includes(request.method) },
    currentHostRules(),
  );
  if (refusal !== null) return refuse(refusal);
  if (/^\/api(\/|$)/.test(request.nextUrl.pathname)) return withSecurity(NextResponse.next(), DATA_POLICY);
  const nonce = randomBytes(16).toString('base64');
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === 'development');
  const passedOn = new Headers(headers);
  passedOn.set('x-nonce', nonce);
  passedOn.set('content-security-policy', policy);
  passedOn.set(PATH_HEADER, pathOf(request));
  const next = { request: { headers: passedOn } };
  // An action answers for itself: its page is not what is asked for.
  const isAction = request.method === 'POST' && headers.has('next-action');
  const admission = isTeamMode() && !isAction ? await admit(passedOn, pathOf(request)) : { kind: 'shown' as const };
  switch (admission.kind) {
    case 'shown':
      return withSecurity(NextResponse.next(next), policy);
    case 'sign_in':
      return withSecurity(NextResponse.redirect(new URL(admission.path, request.nextUrl), 307), policy);
    case 'refused': {
      const shown = NextResponse.rewrite(new URL(`/no-access?needs=${admission.needed}`, request.nextUrl), next);
      shown.headers.set(STATUS_HEADER, '403');
      return withSecurity(shown, policy);
    }
  }
}

/** Loaded in team mode only: it brings the sign-in along. */
async function admit(headers: Headers, path: string): Promise<Admission> {
  const { admitToPage } = await import('#lib/auth/find-page-entry.ts');
  return admitToPage(headers, path);
}

/** The path and query that were asked for, without what Next's own requests add. */
function pathOf({ nextUrl }: NextRequest): string {
  const query = new URLSearchParams(nextUrl.search);
  query.delete('_rsc');
  return query.size === 0 ? nextUrl.pathname : `${nextUrl.pathname}?${query}`;
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
  for (const [name, value] of Object.entries(securityHeaders(currentHostRules()))) response.headers.set(name, value);
  response.headers.set('Content-Security-Policy', policy);
  return response;
}
