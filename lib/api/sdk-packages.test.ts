import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { builtOnce, FAILED_MS, readSdkPackage } from './sdk-packages.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('caches a failed build for a minute and a successful one forever', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  let builds = 0;
  const read = builtOnce(async () => {
    builds++;
    if (builds === 1) throw new Error('the disk is full');
    return 'built';
  });
  await expect(read()).rejects.toThrow('the disk is full');
  vi.advanceTimersByTime(FAILED_MS - 1);
  await expect(read()).rejects.toThrow('the disk is full');
  expect(builds).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await Promise.all([read(), read()])).toEqual(['built', 'built']);
  vi.advanceTimersByTime(FAILED_MS);
  expect(await read()).toBe('built');
  expect(builds).toBe(2);
});

test.each([
  ['hone-sdk.tgz', 'package/LICENSE'],
  ['hone-sdk.tar.gz', 'hone_sdk/LICENSE'],
])(
  '%s contains the license',
  async (file, name) => {
    expect(gunzipSync((await readSdkPackage(file)) ?? '').toString('latin1')).toContain(name);
  },
  60_000,
);
