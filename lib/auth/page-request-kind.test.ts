import { expect, test } from 'vitest';
import { type PageRequestKind, pageRequestKind } from './page-request-kind.ts';

test.each<[string, string, Record<string, string>, PageRequestKind]>([
  ['a prefetch of a Next.js link', 'GET', { rsc: '1', 'next-router-prefetch': '1' }, 'prefetch'],
  [
    'a prefetch of one segment',
    'GET',
    { 'next-router-prefetch': '2', 'next-router-segment-prefetch': '/_tree' },
    'prefetch',
  ],
  ['a prefetch by a browser', 'GET', { 'sec-purpose': 'prefetch' }, 'prefetch'],
  ['a prefetch by an older browser', 'GET', { purpose: 'Prefetch' }, 'prefetch'],
  [
    'a prerendered page that is shown without another request',
    'GET',
    { 'sec-purpose': 'prefetch;prerender' },
    'document',
  ],
  ['a page opened by a click inside Hone', 'GET', { rsc: '1' }, 'navigation'],
  ['a page opened by its URL', 'GET', {}, 'document'],
  ['a write', 'POST', { 'next-router-prefetch': '1' }, 'document'],
])('%s', (_name, method, headers, expected) => {
  expect(pageRequestKind({ method, headers })).toBe(expected);
});
