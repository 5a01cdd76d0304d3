import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTimeZone } from '#lib/auth/reader-time-zone.ts';
import { withLocalMoments } from '#lib/format.ts';
import { exactTime, LocalTime, TimeAgo } from './local-time.tsx';

const MOMENT = '2026-11-20T23:42:10.000Z';
const zone = process.env.TZ;

beforeEach(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test("shows the exact time in the viewer's time zone and in UTC", () => {
  expect(exactTime(MOMENT)).toBe('21 Nov 2026, 00:42 Europe/Berlin (20 Nov 2026, 23:42 UTC)');
});

test("converts times in server messages to the viewer's time zone", () => {
  expect(withLocalMoments('Ada saved version 3 at 20 Nov 2026, 23:42 UTC. It was 1 Foo 2026, 10:00 UTC.')).toBe(
    'Ada saved version 3 at 21 Nov 2026, 00:42. It was 1 Foo 2026, 10:00 UTC.',
  );
});

test.each([
  ['Asia/Kolkata', '21 Nov 2026, 05:12'],
  ['America/New_York', '20 Nov 2026, 18:42'],
  ['Pacific/Kiritimati', '21 Nov 2026, 13:42'],
])('converts times in server messages to %s', (timeZone, expected) => {
  expect(withLocalMoments('Decided already: accept, 20 Nov 2026, 23:42 UTC.', timeZone)).toBe(
    `Decided already: accept, ${expected}.`,
  );
});

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['Atlantis/Poseidonis', null],
  ['', null],
  [undefined, null],
])('reads the cookie %s as time zone %s', (cookie, expected) => {
  expect(readTimeZone(cookie)).toBe(expected);
});

test('renders UTC on the server, which has no viewer time zone', () => {
  expect(renderToString(createElement(LocalTime, { moment: MOMENT }))).toContain('20 Nov 2026, 23:42 UTC');
  expect(renderToString(createElement(TimeAgo, { moment: MOMENT }))).toContain('title="20 Nov 2026, 23:42 UTC"');
});
