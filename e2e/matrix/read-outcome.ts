import type { ListedEntry } from '#lib/auth/entries.test-support.ts';
import type { HttpResponse } from './send.ts';

/** Outcome of a request: sign-in required, redirected by an action, refused, allowed (with the response) or broken. */
export type Outcome =
  | { kind: 'sign-in' }
  | { kind: 'redirected' }
  | { kind: 'refused' }
  | { kind: 'allowed'; status: number; answer: string }
  | { kind: 'broken'; status: number; answer: string };

/** Classifies a response like a browser or an API client: a page by its redirect or its text, an action by its error. */
export function readOutcome(kind: ListedEntry['kind'], response: HttpResponse): Outcome {
  switch (kind) {
    case 'route':
      return routeOutcome(response);
    case 'page':
      return pageOutcome(response);
    case 'action':
      return actionOutcome(response);
  }
}

function routeOutcome({ status, text }: HttpResponse): Outcome {
  if (status === 401) return { kind: 'sign-in' };
  if (status === 403) return { kind: 'refused' };
  return other(status, text);
}

function pageOutcome({ status, text, headers }: HttpResponse): Outcome {
  if (leadsToSignIn(String(headers.location ?? '')) || SIGN_IN_IN_PAGE.test(text)) return { kind: 'sign-in' };
  if (status === 403 || /HONE_FORBIDDEN|NEXT_HTTP_ERROR_FALLBACK;403/.test(text)) return { kind: 'refused' };
  return other(status, text);
}

/** If part of the page was already streamed, Next redirects from within the page. */
const SIGN_IN_IN_PAGE = /NEXT_REDIRECT;[a-z]+;\/sign-in|http-equiv="refresh" content="[^"]*\/sign-in/;

function actionOutcome({ status, text, headers }: HttpResponse): Outcome {
  // An action that redirects would discard the page and the text typed on it.
  if (leadsToSignIn(String(headers['x-action-redirect'] ?? headers.location ?? ''))) return { kind: 'redirected' };
  const thrown = /^[0-9a-f]+:E(\{.*\})$/m.exec(text)?.[1] ?? '';
  if (status === 401 && thrown.includes('HONE_UNAUTHORIZED')) return { kind: 'sign-in' };
  if (status === 403 && thrown.includes('HONE_FORBIDDEN')) return { kind: 'refused' };
  if (thrown !== '') return { kind: 'broken', status, answer: thrown };
  const result = /^0:\{"a":"\$@([0-9a-f]+)"/m.exec(text)?.[1];
  const line = result === undefined ? undefined : text.split('\n').find((one) => one.startsWith(`${result}:`));
  return other(status, line === undefined ? text : line.slice(`${result}:`.length));
}

function leadsToSignIn(location: string): boolean {
  return /^(https?:\/\/[^/]+)?\/sign-in(\?|;|$)/.test(location);
}

/** 503 is a valid response too: a feature is not configured or temporarily unavailable. */
function other(status: number, answer: string): Outcome {
  const kind = status >= 500 && status !== 503 ? 'broken' : 'allowed';
  return { kind, status, answer: answer.slice(0, 300) };
}
