import { guardedFetch } from '#lib/outgoing/guarded-fetch.ts';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import { currentTry, editedBody } from './try-once.ts';

/**
 * The `fetch` that providers are asked by. Their addresses are checked at every connection, for a name may mean another place than when it
 * was stored. It reads at most `maxBytes` of a reply's body and follows no redirects: a key must not go to another address than the one
 * it was entered for. Requests of a try are changed as it says, and tell it how far they have come.
 */
export function modelFetch(rules: AddressRules, maxBytes: number, resolve?: Resolve): typeof fetch {
  const ask = guardedFetch({ rules, maxBytes, resolve, keepsConnections: true, unpacks: true });
  return async (address, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(USUAL)) if (!headers.has(name)) headers.set(name, value);
    const context = currentTry();
    if (context === undefined) return ask(address, { ...init, headers });
    const edited = typeof init?.body === 'string' ? { body: editedBody(init.body, context.bodyEdits) } : {};
    const onSent = () => {
      context.isSent = true;
    };
    const response = await ask(address, { ...init, ...edited, headers }, onSent);
    // A page is no model's answer.
    if (response.ok && !/^text\/html/i.test(response.headers.get('content-type') ?? '')) context.isAnswered = true;
    return response;
  };
}

const USUAL = { accept: '*/*', 'user-agent': 'Hone' };
