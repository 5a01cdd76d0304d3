import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { NO_OPTIONS } from '#lib/prompts/prompt.ts';
import { usePromptDraft } from './use-prompt-draft.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Sent = { text: string; baseVersion: number | null; since: string | null; unanswered?: { text: string }[] };

/** Stores one draft like the API. `isReached: false` loses the request, `isAnswered: false` loses the response. */
function draftServer() {
  const server = {
    text: '',
    updatedAt: null as string | null,
    isReached: true,
    isAnswered: true,
    delay: Promise.resolve(),
    fetch,
  };
  let saves = 0;
  async function fetch(_url: string, { body, keepalive }: { body: string; keepalive: boolean }): Promise<Response> {
    // Browsers refuse larger requests that outlive their page.
    if (keepalive && body.length > 65_536) throw new TypeError('Failed to fetch');
    const { text, since, baseVersion, unanswered = [] }: Sent = JSON.parse(body);
    if (!server.isReached) throw new TypeError('Failed to fetch');
    const isOwn = [text, ...unanswered.map((one) => one.text)].includes(server.text);
    const isTheirs = since !== server.updatedAt && !isOwn;
    const draft = { text: server.text, ...NO_OPTIONS, baseVersion, updatedAt: server.updatedAt };
    if (!isTheirs) {
      saves += 1;
      Object.assign(server, { text, updatedAt: new Date(saves).toISOString() });
    }
    if (!server.isAnswered) throw new TypeError('Failed to fetch');
    await server.delay;
    return Response.json(isTheirs ? { status: 'changed', draft } : { status: 'kept', updatedAt: server.updatedAt });
  }
  vi.stubGlobal('fetch', fetch);
  return server;
}

const BASE = { number: 1, text: 'Sort {{input}}', ...NO_OPTIONS };
const PAUSE_MS = 1_000;

test('a page that is restored after it was left does not conflict with the draft it saved when leaving', async () => {
  const server = draftServer();
  const { current, act } = await renderHook(() => usePromptDraft('triage', BASE, null));
  await act(() => current().edit({ text: 'one' }));
  server.isAnswered = false;
  await act(() => window.dispatchEvent(new Event('pagehide')));
  expect(server.text).toBe('one');
  server.isAnswered = true;
  await act(() => current().edit({ text: 'two' }));
  await act(() => vi.advanceTimersByTimeAsync(PAUSE_MS));
  expect(current().status).toBe('kept');
  expect(server.text).toBe('two');
});

test('an edit after a save without a response does not conflict with that save', async () => {
  const server = draftServer();
  const { current, act } = await renderHook(() => usePromptDraft('triage', BASE, null));
  server.isAnswered = false;
  await act(() => current().edit({ text: 'one' }));
  await act(() => vi.advanceTimersByTimeAsync(PAUSE_MS));
  expect(current().status).toBe('failed');
  server.isAnswered = true;
  await act(() => current().edit({ text: 'two' }));
  await act(() => vi.advanceTimersByTimeAsync(PAUSE_MS));
  expect(current().status).toBe('kept');
  expect(server.text).toBe('two');
});

test('leaving the page sends a draft whose save failed', async () => {
  const server = draftServer();
  const { current, act } = await renderHook(() => usePromptDraft('triage', BASE, null));
  server.isReached = false;
  await act(() => current().edit({ text: 'one' }));
  await act(() => vi.advanceTimersByTimeAsync(PAUSE_MS));
  expect(current().status).toBe('failed');
  server.isReached = true;
  await act(() => window.dispatchEvent(new Event('pagehide')));
  expect(server.text).toBe('one');
});

test('leaving the page during a save sends the newer draft', async () => {
  const server = draftServer();
  const { current, act } = await renderHook(() => usePromptDraft('triage', BASE, null));
  server.delay = new Promise(() => undefined);
  await act(() => current().edit({ text: 'one' }));
  await act(() => vi.advanceTimersByTimeAsync(PAUSE_MS));
  expect(server.text).toBe('one');
  await act(() => current().edit({ text: 'two' }));
  await act(() => window.dispatchEvent(new Event('pagehide')));
  expect(server.text).toBe('two');
});

test('leaving the page sends a long draft after several failed saves', async () => {
  const server = draftServer();
  server.isReached = false;
  const { current, act } = await renderHook(() => usePromptDraft('triage', BASE, null));
  for (let save = 0; save < 8; save += 1) {
    await act(() => current().edit({ text: `${save} ${'long '.repeat(2_000)}` }));
    await act(() => vi.advanceTimersByTimeAsync(PAUSE_MS));
  }
  server.isReached = true;
  await act(() => window.dispatchEvent(new Event('pagehide')));
  expect(server.text).toMatch(/^7 long/);
});

test('a draft of another window is a conflict', async () => {
  const server = draftServer();
  const { current, act } = await renderHook(() => usePromptDraft('triage', BASE, null));
  Object.assign(server, { text: 'theirs', updatedAt: new Date(9).toISOString() });
  await act(() => current().edit({ text: 'mine' }));
  await act(() => vi.advanceTimersByTimeAsync(PAUSE_MS));
  expect(current().status).toBe('changed');
  expect(current().theirs?.text).toBe('theirs');
  expect(server.text).toBe('theirs');
});
