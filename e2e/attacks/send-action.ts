import type { BuiltAction } from '../matrix/call-action.ts';
import { type HttpResponse, send } from '../matrix/send.ts';

/** Calls a server action of a page with JSON arguments. Origin headers are exactly those in `headers`. */
export function sendAction(
  address: string,
  {
    action,
    page,
    args,
    headers,
  }: { action: BuiltAction; page: string; args: unknown; headers: Record<string, string> },
): Promise<HttpResponse> {
  const head = { accept: 'text/x-component', 'content-type': 'text/plain;charset=UTF-8', 'next-action': action.id };
  const body = typeof args === 'string' ? args : JSON.stringify(args);
  return send(address, { method: 'POST', path: page, headers: { ...head, ...headers }, body });
}
