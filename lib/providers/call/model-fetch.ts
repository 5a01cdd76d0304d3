import { guardedFetch } from '#lib/outgoing/guarded-fetch.ts';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import { currentTry, editedBody } from './try-once.ts';

/**
 * Creates the `fetch` for providers. It checks the address on every connection because a host name can resolve differently over time. It
 * reads at most `maxBytes` of a response body. It follows no redirects, since a key must not be sent to another URL than the one it was
 * saved for. It applies the body edits of an attempt and records the attempt's progress.
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
    // An HTML page is not a model response.
    if (response.ok && !/^text\/html/i.test(response.headers.get('content-type') ?? '')) context.isAnswered = true;
    return response;
  };
}

const USUAL = { accept: '*/*', 'user-agent': 'Hone' };
