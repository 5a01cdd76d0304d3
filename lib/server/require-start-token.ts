import type { IncomingMessage, ServerResponse } from 'node:http';
import { ADMITTED_HEADER, checkStartToken, LINK_NEEDED, type StartTokenConfig } from '#lib/auth/start-token.ts';

/**
 * With HONE_START_TOKEN, admits only clients that opened its link. Returns true if it answered the request. Runs before pages, actions,
 * routes, streams and files. `gate` is null if no token is required.
 */
export function requireStartToken(
  request: IncomingMessage,
  response: ServerResponse,
  gate: StartTokenConfig | null,
): boolean {
  delete request.headers[ADMITTED_HEADER];
  if (gate === null) return false;
  const entrance = checkStartToken(request, gate);
  switch (entrance.kind) {
    case 'admitted':
      request.headers[ADMITTED_HEADER] = '1';
      return false;
    case 'open':
      return false;
    case 'entered':
      response.writeHead(303, {
        Location: entrance.location,
        'Set-Cookie': entrance.cookie,
        'Cache-Control': 'no-store',
      });
      response.end();
      return true;
    case 'refused':
      refuse(request, response);
      return true;
  }
}

function refuse({ url = '/', headers }: IncomingMessage, response: ServerResponse): void {
  const wantsPage = !/^\/+api(\/|$)/.test(url) && headers.accept?.includes('text/html') === true;
  response.writeHead(401, {
    'Content-Type': wantsPage ? 'text/html; charset=utf-8' : 'application/json',
    'Cache-Control': 'no-store',
    // The rest of the body is not read.
    Connection: 'close',
  });
  response.end(wantsPage ? PAGE : JSON.stringify({ error: { code: 'unauthorized', message: LINK_NEEDED } }));
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Open Hone by its link</title>
<h1>Open Hone by its link</h1>
<p>This Hone is private to the person who started it. It does not know this browser yet.</p>
<ol>
<li>Go to the terminal where Hone runs.</li>
<li>Find the line that begins with “open this link”.</li>
<li>Open that link here. This browser is then let in for 30 days.</li>
</ol>
<p>No terminal? The link is this address with <code>/?token=</code> and the text of the file <code>start-token</code> in Hone’s data folder.</p>
<p>Programs use an API token, as before.</p>
</html>
`;
