import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSecret, readStartToken } from './environment-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hone-secret-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('readSecret', () => {
  test('creates 32 bytes once with mode 0600 and reads them again', () => {
    const first = readSecret(folder, null);
    const file = path.join(folder, 'secret.key');
    expect(first.length).toBe(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['secret.key']);
    expect(readSecret(folder, null)).toEqual(first);
    expect(readFileSync(file)).toEqual(first);
  });

  test('restricts the permissions of a file readable by others', () => {
    readSecret(folder, null);
    chmodSync(path.join(folder, 'secret.key'), 0o644);
    readSecret(folder, null);
    expect(statSync(path.join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
  });

  test('rejects a file of another length', () => {
    writeFileSync(path.join(folder, 'secret.key'), 'short');
    expect(() => readSecret(folder, null)).toThrow(/5 bytes instead of 32/);
  });

  test('derives the same secret from HONE_SECRET each time and writes no file', () => {
    const one = readSecret(folder, 'a long enough secret');
    expect(one.length).toBe(32);
    expect(readSecret(folder, 'a long enough secret')).toEqual(one);
    expect(readSecret(folder, 'another long secret!')).not.toEqual(one);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('readStartToken', () => {
  test('creates a long token once with mode 0600 and reads it again', () => {
    const token = readStartToken(folder);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(statSync(path.join(folder, 'start-token')).mode & 0o777).toBe(0o600);
    expect(readStartToken(folder)).toBe(token);
  });

  test('rejects a token that is too short', () => {
    writeFileSync(path.join(folder, 'start-token'), 'short');
    expect(() => readStartToken(folder)).toThrow(/Delete it/);
  });
});
