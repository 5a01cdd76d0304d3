import { describe, expect, test } from 'vitest';
import { apiNames, mentionsName } from './terms.ts';

describe('apiNames', () => {
  test.each([
    ['Call https://api.example.com/v1/orders/ twice.', ['api.example.com', '/v1/orders']],
    ['POST /v1/refunds fails with 422', ['/v1/refunds']],
    ['Use fetch_page, then listOrders or orders.list.', ['fetch_page', 'listorders', 'orders.list']],
    ['The host api.example.com, e.g. today.', ['api.example.com']],
    ['Write a poem about either/or and 3.14.', []],
    ['', []],
  ])('%j: %j', (text, names) => {
    expect(apiNames(text)).toEqual(names);
  });

  test('returns at most twelve names', () => {
    const text = Array.from({ length: 40 }, (_, at) => `tool_number${at}`).join(' ');
    expect(apiNames(text)).toHaveLength(12);
  });

  test.each([
    ['Never call fetch_page twice.', 'fetch_page', true],
    ['Never call prefetch_page twice; fetch_page is better.', 'fetch_page', true],
    ['Never call prefetch_pages twice.', 'fetch_page', false],
    ['GET /v1/orders first', '/v1/orders', true],
    ['', 'fetch_page', false],
  ])('%j mentions %j: %j', (text, name, isMentioned) => {
    expect(mentionsName(text, name)).toBe(isMentioned);
  });
});

test.each(['a-', 'a.', 'a1', 'aA', '/a'])('searches a text of many %j quickly', (piece) => {
  const startedAt = process.threadCpuUsage();
  apiNames(`${piece.repeat(10_000)}-`);
  expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(200);
});
