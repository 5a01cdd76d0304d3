import { describe, expect, test } from 'vitest';
import { signBody } from '#lib/outgoing/sign-body.ts';
import { readDecisionAnswer } from './read-decision-answer.ts';

const SECRET = 'a secret of the test';
const NOW = new Date('2026-03-01T12:00:00.000Z');
const SECONDS = NOW.getTime() / 1000;

/** Reads a response with this text and a valid signature unless `changes` override it. */
function read(text: string, changes: { headers?: Record<string, string>; status?: number; at?: number } = {}) {
  const timestamp = String(changes.at ?? SECONDS);
  const headers = changes.headers ?? {
    'hone-timestamp': timestamp,
    'hone-signature': signBody(SECRET, timestamp, text),
  };
  return readDecisionAnswer(
    { status: changes.status ?? 200, headers, text },
    { secret: SECRET, request: ASKED, now: NOW },
  );
}

const ASKED = { pauseId: 'a1f1c2f4-9a52-4d0c-8d5e-2f8a6f3c9b10', delivery: '0c8f7f0e-6b1d-4b8e-9a35-7d0f3f1f2a61' };
const ACCEPT = JSON.stringify({ decision: 'accept', reason: 'Schön 🏔', ...ASKED });
const TAKEN = { type: 'decision', input: { decision: 'accept', reason: 'Schön 🏔' } };

describe('accepts a signed response', () => {
  test.each<[string, ReturnType<typeof read>, object]>([
    ['sent now', read(ACCEPT), TAKEN],
    ['five minutes ago', read(ACCEPT, { at: SECONDS - 300 }), TAKEN],
    ['with a clock five minutes ahead', read(ACCEPT, { at: SECONDS + 300 }), TAKEN],
    ['with another success status', read(ACCEPT, { status: 201 }), TAKEN],
    ['without a decision', read(JSON.stringify({ decision: null, ...ASKED })), { type: 'declined' }],
    [
      'with an incomplete decision, which is rejected later',
      read(JSON.stringify(ASKED)),
      { type: 'decision', input: {} },
    ],
  ])('%s', (_name, answer, expected) => {
    expect(answer).toEqual(expected);
  });

  test('with an uppercase signature', () => {
    const headers = {
      'hone-timestamp': String(SECONDS),
      'hone-signature': signBody(SECRET, String(SECONDS), ACCEPT).toUpperCase(),
    };
    expect(read(ACCEPT, { headers })).toEqual(TAKEN);
  });

  test('without a signature if the status is 204, as declined', () => {
    expect(read('', { status: 204, headers: {} })).toEqual({ type: 'declined' });
  });
});

describe('rejects a response', () => {
  const timestamp = String(SECONDS);
  const signature = signBody(SECRET, timestamp, ACCEPT);
  test.each<[string, ReturnType<typeof read>, RegExp]>([
    ['without signature headers', read(ACCEPT, { headers: {} }), /did not sign/],
    ['without a timestamp', read(ACCEPT, { headers: { 'hone-signature': signature } }), /did not sign/],
    ['without a signature', read(ACCEPT, { headers: { 'hone-timestamp': timestamp } }), /did not sign/],
    [
      'signed with another secret',
      read(ACCEPT, {
        headers: { 'hone-timestamp': timestamp, 'hone-signature': signBody('another secret', timestamp, ACCEPT) },
      }),
      /does not match its response/,
    ],
    [
      'signed for another body',
      read('{"decision": "stop"}', { headers: { 'hone-timestamp': timestamp, 'hone-signature': signature } }),
      /does not match its response/,
    ],
    [
      'signed for another timestamp',
      read(ACCEPT, { headers: { 'hone-timestamp': String(SECONDS + 1), 'hone-signature': signature } }),
      /does not match its response/,
    ],
    [
      'with a signature of another length',
      read(ACCEPT, { headers: { 'hone-timestamp': timestamp, 'hone-signature': signature.slice(1) } }),
      /does not match its response/,
    ],
    ['that is too old', read(ACCEPT, { at: SECONDS - 301 }), /more than 5 minutes/],
    ['from the future', read(ACCEPT, { at: SECONDS + 301 }), /more than 5 minutes/],
    [
      'with a timestamp in words',
      read(ACCEPT, { headers: { 'hone-timestamp': 'noon', 'hone-signature': signature } }),
      /not a number of seconds/,
    ],
    ['without a pause', read(JSON.stringify({ decision: 'accept', delivery: ASKED.delivery })), /without pauseId/],
    ['without a delivery', read(JSON.stringify({ decision: 'accept', pauseId: ASKED.pauseId })), /without delivery/],
    [
      'without a pause and a delivery',
      read('{"decision": "accept"}'),
      /without pauseId and delivery.*Copy pauseId and delivery from/,
    ],
    ['for another pause', read(JSON.stringify({ decision: 'accept', ...ASKED, pauseId: 'b' })), /another pause/],
    ['for another delivery', read(JSON.stringify({ decision: 'accept', ...ASKED, delivery: 'b' })), /another delivery/],
    [
      'for a list of pauses',
      read(JSON.stringify({ decision: 'accept', ...ASKED, pauseId: [ASKED.pauseId] })),
      /pauseId/,
    ],
    ['that declines another pause', read(JSON.stringify({ decision: null, ...ASKED, pauseId: 'b' })), /another pause/],
    ['that is not JSON', read('accept'), /JSON object/],
    ['without a body', read(''), /JSON object/],
    ['that is a list', read('["accept"]'), /JSON object/],
    ['that is a string', read('"accept"'), /JSON object/],
    ['that is null', read('null'), /JSON object/],
  ])('%s', (_name, answer, problem) => {
    expect(answer).toEqual({ type: 'refused', problem: expect.stringMatching(problem) });
  });
});
