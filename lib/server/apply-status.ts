import type { ServerResponse } from 'node:http';
import { STATUS_HEADER } from '#lib/auth/status-header.ts';
import type { RequestFacts } from '#lib/log/request-facts.ts';

/** Where proxy.ts shows another page than was asked for, it names the answer's status in a header, since Next keeps none of a rewrite. What a page or an action threw to turn somebody away Next answers with 500: `facts` know better. */
export function applyStatus(response: ServerResponse, facts: Readonly<RequestFacts>): void {
  const writeHead = response.writeHead;
  Object.assign(response, {
    writeHead(status: number, ...rest: unknown[]) {
      const named = Number(response.getHeader(STATUS_HEADER));
      response.removeHeader(STATUS_HEADER);
      if (status === 500 && facts.refused === 429 && facts.retryAfterSeconds !== undefined)
        response.setHeader('Retry-After', String(facts.retryAfterSeconds));
      return Reflect.apply(writeHead, response, [named > 0 ? named : statusOf(status, facts), ...rest]);
    },
  });
}

function statusOf(status: number, { refused }: Readonly<RequestFacts>): number {
  return status === 500 && refused !== null ? refused : status;
}
