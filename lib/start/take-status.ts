import type { ServerResponse } from 'node:http';
import { STATUS_HEADER } from '#lib/team/status-header.ts';

/** Where proxy.ts shows another page than was asked for, it names the answer's status in a header, since Next keeps none of a rewrite. */
export function takeStatus(response: ServerResponse): void {
  const writeHead = response.writeHead;
  Object.assign(response, {
    writeHead(status: number, ...rest: unknown[]) {
      const named = Number(response.getHeader(STATUS_HEADER));
      response.removeHeader(STATUS_HEADER);
      return Reflect.apply(writeHead, response, [named > 0 ? named : status, ...rest]);
    },
  });
}
