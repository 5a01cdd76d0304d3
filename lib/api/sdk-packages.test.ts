import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { builtOnce, FAILED_MS, readSdkPackage } from './sdk-packages.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('does not repeat a failed build for a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const results = [Promise.reject(new Error('the disk is full')), Promise.resolve('built'), Promise.resolve('again')];
  const read = builtOnce(() => results.shift() ?? expect.fail('one build too many'));
  await expect(read()).rejects.toThrow('the disk is full');
  vi.advanceTimersByTime(FAILED_MS - 1);
  await expect(read()).rejects.toThrow('the disk is full');
  vi.advanceTimersByTime(1);
  expect(await read()).toBe('built');
  expect(await read()).toBe('built');
});

test.each([
  ['hone-sdk.tgz', 'package/LICENSE'],
  ['hone-sdk.tar.gz', 'hone_sdk/LICENSE'],
])(
  '%s has the license',
  async (file, name) => {
    expect(gunzipSync((await readSdkPackage(file)) ?? '').toString('latin1')).toContain(name);
  },
  60_000,
);
