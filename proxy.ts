import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import type { Admission } from '#lib/auth/find-page-entry.ts';
import { currentHostRules, findRefusal } from '#lib/auth/host-rules.ts';
import { isTeamMode } from '#lib/auth/mode.ts';
import { STATUS_HEADER } from '#lib/auth/page-request-kind.ts';
import { contentSecurityPolicy, DATA_POLICY, securityHeaders } from '#lib/auth/security-headers.ts';
import { PATH_HEADER } from '#lib/auth/sign-in/sign-in-path.ts';

/**
 * Runs before pages, static files and most API routes, see `config`. Rejects unknown hosts and cross-origin writes, and sets the security
 * headers. Each page request gets a nonce for its scripts in the header `x-nonce`. In team mode, redirects page requests without a session
 * to the sign-in page and answers those of members without the required role with status 403. Pages also check the role.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { headers } = request;
  const refusal = findRefusal(
    { headers, writes: !['GET', 'HEAD', 'OPTIONS'].includes(request.method) },
    currentHostRules(),
  );
  if (refusal !== null) return refuse(refusal);
  // Browsers apply the policy of the page to its scripts, styles and fonts. The long one in each of them would add 5 KB to a page.
  if (/^\/(api(\/|$)|_next\/static\/)/.test(request.nextUrl.pathname))
    return withSecurity(NextResponse.next(), DATA_POLICY);
  const nonce = randomBytes(16).toString('base64');
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === 'development');
  const forwardedHeaders = new Headers(headers);
  forwardedHeaders.set('x-nonce', nonce);
  forwardedHeaders.set('content-security-policy', policy);
  forwardedHeaders.set(PATH_HEADER, pathOf(request));
  const next = { request: { headers: forwardedHeaders } };
  // Server actions authorize themselves: their role may differ from that of the page they are sent to.
  const isAction = request.method === 'POST' && headers.has('next-action');
  const admission =
    isTeamMode() && !isAction ? await admit(forwardedHeaders, pathOf(request)) : { kind: 'shown' as const };
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

/** Loads the sign-in code on demand, because local mode does not need it. */
async function admit(headers: Headers, path: string): Promise<Admission> {
  const { admitToPage } = await import('#lib/auth/find-page-entry.ts');
  return admitToPage(headers, path);
}

/** Returns the requested path and query without the parameter that Next's client adds. */
function pathOf({ nextUrl }: NextRequest): string {
  const query = new URLSearchParams(nextUrl.search);
  query.delete('_rsc');
  return query.size === 0 ? nextUrl.pathname : `${nextUrl.pathname}?${query}`;
}

/** Excludes upload routes, because Next truncates bodies at 10 MB behind a proxy. These routes check the host and origin themselves. */
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
