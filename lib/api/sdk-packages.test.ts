import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { readSdkPackage } from './sdk-packages.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

test('does not repeat a failed build for a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  vi.stubEnv('TMPDIR', '/nowhere');
  await expect(readSdkPackage('hone-sdk.tgz')).rejects.toThrow('ENOENT');
  vi.unstubAllEnvs();
  await expect(readSdkPackage('hone-sdk.tgz')).rejects.toThrow('ENOENT');
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  expect(await readSdkPackage('hone-sdk.tgz')).not.toBeNull();
}, 60_000);

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
