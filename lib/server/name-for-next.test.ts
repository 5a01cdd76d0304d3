import { NextRequest } from 'next/server';
import { expect, test } from 'vitest';
import { nameForNext } from './serve-pages.ts';

test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost', '0.0.0.0', '10.0.0.5', 'hone.example'])(
  'Next keeps the host of a URL at %s',
  (host) => {
    const address = `http://${nameForNext(host)}:4000/settings`;
    expect(new NextRequest(address).nextUrl.href).toBe(address);
  },
);

test('keeps the names of other hosts', () => {
  expect(nameForNext('0.0.0.0')).toBe('0.0.0.0');
  expect(nameForNext('127.example')).toBe('127.example');
});
