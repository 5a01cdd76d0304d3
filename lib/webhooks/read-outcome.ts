import type { PostOutcome } from './post-signed.ts';

export type UnusableKind =
  | 'refused_address'
  | 'unreachable'
  | 'timed_out'
  | 'too_large'
  | 'status'
  | 'redirect'
  | 'aborted';

/** The reason an attempt failed. `message` completes "The webhook NAME …", `remedy` is the recommended action. */
type Unusable = { ok: false; kind: UnusableKind; message: string; remedy: string };

/** A response with a status from 200 to 299, whose body is not parsed yet. */
export type Usable = { ok: true; status: number; headers: Record<string, string>; text: string };

export const ABORTED: Unusable = {
  ok: false,
  kind: 'aborted',
  message: 'did not answer before the call was canceled.',
  remedy: '',
};

/** Returns the usable response of an attempt, or a description of the failure. */
export function readOutcome(outcome: PostOutcome, { timeoutMs }: { timeoutMs: number }): Usable | Unusable {
  switch (outcome.type) {
    case 'answered':
      return readStatus(outcome);
    case 'refused_address':
      return {
        ok: false,
        kind: 'refused_address',
        message: `was not called: its address ${outcome.message}.`,
        remedy: 'Change its URL in Settings > Webhooks and tools.',
      };
    case 'unreachable':
      return {
        ok: false,
        kind: 'unreachable',
        message: `could not be reached: ${outcome.message}.`,
        remedy: 'Check that the service runs and that the URL is right.',
      };
    case 'timed_out':
      return {
        ok: false,
        kind: 'timed_out',
        message: `gave no complete answer within ${timeoutMs / 1000} seconds.`,
        remedy: 'Make the service answer faster.',
      };
    case 'too_large':
      return {
        ok: false,
        kind: 'too_large',
        message: 'answered with more than 1 MB.',
        remedy: 'Make the service answer with a short JSON object.',
      };
    case 'aborted':
      return ABORTED;
  }
}

/** Returns true if a retry may succeed: the service was unreachable, overloaded or failed. */
export function isRetryable(outcome: PostOutcome): boolean {
  if (outcome.type === 'answered') return outcome.status === 429 || outcome.status >= 500;
  return outcome.type === 'unreachable';
}

function readStatus({ status, headers, text }: Extract<PostOutcome, { type: 'answered' }>): Usable | Unusable {
  if (status >= 300 && status < 400)
    return {
      ok: false,
      kind: 'redirect',
      message: `answered with a redirect (${status}), which is not followed.`,
      remedy: `If you trust the new address, enter it as the URL${headers.location === undefined ? '' : `: ${headers.location.slice(0, 200)}`}.`,
    };
  if (status < 200 || status >= 300)
    return { ok: false, kind: 'status', message: `answered with status ${status}.`, remedy: remedyFor(status) };
  return { ok: true, status, headers, text };
}

function remedyFor(status: number): string {
  if (status === 401 || status === 403) return 'Check that the service uses the current secret of the webhook.';
  if (status === 404 || status === 405) return 'Check the path of the URL. The service must accept POST.';
  if (status === 429) return 'The service is busy. Try again later.';
  return 'Check the log of the service.';
}
