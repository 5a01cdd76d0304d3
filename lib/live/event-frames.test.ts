import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventFrame, nextEvents, readLastEventId, textFrame } from './event-feed.ts';

const row = (number: number) => ({ number, type: 'evaluated', data: {} });

describe('frames', () => {
  test('writes the number, name and data of an event on separate lines', () => {
    expect(eventFrame({ number: 7, type: 'evaluated', data: { version: 1, score: 0.5 } })).toBe(
      'id: 7\nevent: evaluated\ndata: {"version":1,"score":0.5}\n\n',
    );
  });

  test('keeps text with line breaks, frame ends and field names in one data line', () => {
    const text = 'a\r\n\nid: 9\nevent: stopped\ndata: {}\n\n\u2028';
    const frame = textFrame({ role: 'generate', text });
    expect(frame.split('\n')).toHaveLength(4);
    expect(frame).not.toContain('\r');
    expect(JSON.parse(frame.split('\n')[1]?.replace('data: ', '') ?? '')).toEqual({ role: 'generate', text });
  });
});

describe('readLastEventId', () => {
  test.each<[string, string | null, number]>([
    ['a missing header', null, 0],
    ['an empty header', '', 0],
    ['the start', '0', 0],
    ['a number', '12', 12],
    ['the highest number', '2147483647', 2_147_483_647],
  ])('reads %s', (_name, sent, value) => {
    expect(readLastEventId(sent)).toEqual({ ok: true, value });
  });

  test.each(['-1', '1.5', 'x', '1e3', '0x1', ' 1', '2147483648', '99999999999', '1,2'])('refuses %j', (sent) => {
    expect(readLastEventId(sent)).toMatchObject({ ok: false, problem: { code: 'invalid', field: 'lastEventId' } });
  });
});

describe('nextEvents', () => {
  test.each<[string, number, number[], number[]]>([
    ['no rows', 0, [], []],
    ['the first rows', 0, [1, 2, 3], [1, 2, 3]],
    ['rows that were not sent', 2, [1, 2, 3, 4], [3, 4]],
    ['rows out of order', 0, [3, 1, 2], [1, 2, 3]],
    ['a duplicate row', 0, [1, 1, 2], [1, 2]],
    ['no rows after a missing number', 0, [1, 2, 4, 5], [1, 2]],
    ['no rows if the next one is missing', 3, [5, 6], []],
    ['no rows that were already sent', 9, [7, 8, 9], []],
  ])('returns %s', (_name, last, read, taken) => {
    expect(nextEvents(last, read.map(row)).map((event) => event.number)).toEqual(taken);
  });

  test('sends every event once and in order across overlapping reads', () => {
    const numbers = Array.from({ length: 12 }, (_, at) => at + 1);
    fc.assert(
      fc.property(fc.array(fc.subarray(numbers)), (batches) => {
        const sent: number[] = [];
        for (const read of [...batches, numbers])
          sent.push(...nextEvents(sent.length, read.map(row)).map((event) => event.number));
        expect(sent).toEqual(numbers);
      }),
    );
  });
});
