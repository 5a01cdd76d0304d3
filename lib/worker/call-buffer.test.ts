import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CallEntry } from '#lib/runs/call-schema.ts';
import { CallBuffer } from './call-buffer.ts';

function entry(ordinal: number): CallEntry {
  return {
    step: 0,
    ordinal,
    fingerprint: '',
    role: 'generate',
    provider: 'p',
    model: 'm',
    instructions: '',
    prompt: '',
    options: { temperature: null, maxOutputTokens: null, output: null },
    text: 'x',
    finishReason: 'stop',
    failure: null,
    inputTokens: 1,
    outputTokens: 1,
    costUsd: 0,
    latencyMs: 1,
    attempts: 1,
    warnings: [],
    createdAt: '2026-01-05T10:00:00.000Z',
  };
}

function ordinals(entries: CallEntry[]): number[] {
  return entries.map(({ ordinal }) => ordinal);
}

describe('CallBuffer', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function buffered(write: (entries: CallEntry[]) => Promise<void> = async () => undefined) {
    const written: number[][] = [];
    const buffer = new CallBuffer(async (entries) => {
      await write(entries);
      written.push(ordinals(entries));
    });
    return { buffer, written };
  }

  test('a save includes the recorded calls, which are then not written separately', async () => {
    const { buffer, written } = buffered();
    buffer.add(entry(0));
    buffer.add(entry(1));
    expect(ordinals(buffer.take())).toEqual([0, 1]);
    expect(buffer.take()).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(written).toEqual([]);
  });

  test.each(['saved', 'failed'])('writes no calls while a save is in progress: then %s', async (outcome) => {
    const { buffer, written } = buffered();
    const saving = Promise.withResolvers<void>();
    buffer.add(entry(0));
    buffer.take();
    buffer.holdUntil(saving.promise);
    buffer.add(entry(1));
    const flushed = buffer.flush();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([]);
    if (outcome === 'saved') saving.resolve();
    else saving.reject(new Error('down'));
    await flushed;
    expect(written).toEqual([[1]]);
  });

  test('leaves the calls made during a save to the next save', async () => {
    const { buffer, written } = buffered();
    const saving = Promise.withResolvers<void>();
    buffer.holdUntil(saving.promise);
    buffer.add(entry(1));
    await vi.advanceTimersByTimeAsync(1_000);
    saving.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(ordinals(buffer.take())).toEqual([1]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([]);
  });

  test('writes calls that no save has taken after a short delay, in one batch', async () => {
    const { buffer, written } = buffered();
    buffer.add(entry(0));
    buffer.add(entry(1));
    await vi.advanceTimersByTimeAsync(10);
    expect(written).toEqual([[0, 1]]);
    expect(buffer.take()).toEqual([]);
    buffer.add(entry(2));
    await vi.advanceTimersByTimeAsync(10);
    expect(written).toEqual([[0, 1], [2]]);
  });

  test('writes sequentially in call order', async () => {
    const { buffer, written } = buffered(
      (entries) => new Promise((resolve) => setTimeout(resolve, entries[0]?.ordinal === 0 ? 50 : 1)),
    );
    buffer.add(entry(0));
    await vi.advanceTimersByTimeAsync(5);
    buffer.add(entry(1));
    await vi.advanceTimersByTimeAsync(5);
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(written).toEqual([[0], [1]]);
  });

  test('flush writes buffered calls and waits for writes in progress', async () => {
    const { buffer, written } = buffered(
      (entries) => new Promise((resolve) => setTimeout(resolve, entries.length * 20)),
    );
    buffer.add(entry(0));
    await vi.advanceTimersByTimeAsync(5);
    buffer.add(entry(1));
    const flushed = buffer.flush();
    await vi.advanceTimersByTimeAsync(100);
    await flushed;
    expect(written.flat()).toEqual([0, 1]);
  });

  test('writes calls restored by a failed save', async () => {
    const { buffer, written } = buffered();
    buffer.add(entry(0));
    buffer.restore(buffer.take());
    await vi.advanceTimersByTimeAsync(10);
    expect(written).toEqual([[0]]);
  });

  test('writes the calls of a failed save before those made during it', async () => {
    const { buffer, written } = buffered();
    buffer.add(entry(0));
    const taken = buffer.take();
    buffer.add(entry(1));
    buffer.restore(taken);
    await vi.advanceTimersByTimeAsync(10);
    expect(written).toEqual([[0, 1]]);
  });

  test('a failed background write does not crash the process and rejects the next flush', async () => {
    const { buffer } = buffered(async (entries) => {
      if (entries.length > 0) throw new Error('the database is away');
    });
    buffer.add(entry(0));
    await vi.advanceTimersByTimeAsync(10);
    await expect(buffer.flush()).rejects.toThrow('the database is away');
  });

  test.each(['save', 'write'])(
    'reports that the calls of a failed %s may be stored, to the next write',
    async (kind) => {
      let isDown = kind === 'write';
      const written: [number[], boolean][] = [];
      const buffer = new CallBuffer(async (entries, again) => {
        written.push([ordinals(entries), again]);
        if (isDown) throw new Error('died');
      });
      buffer.add(entry(0));
      if (kind === 'save') buffer.restore(buffer.take());
      else await expect(buffer.flush()).rejects.toThrow('died');
      isDown = false;
      buffer.add(entry(1));
      expect(buffer.size).toBe(2);
      await buffer.flush();
      buffer.add(entry(2));
      await buffer.flush();
      expect(written.slice(-2)).toEqual([
        [[0, 1], true],
        [[2], false],
      ]);
    },
  );

  test('keeps calls that could not be written and writes them later', async () => {
    let away = true;
    const { buffer, written } = buffered(async () => {
      if (away) throw new Error('the database is away');
    });
    buffer.add(entry(0));
    await vi.advanceTimersByTimeAsync(10);
    away = false;
    await buffer.flush();
    expect(written).toEqual([[0]]);
  });
});
