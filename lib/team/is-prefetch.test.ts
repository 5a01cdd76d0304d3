import { expect, test } from 'vitest';
import { isPrefetch } from './is-prefetch.ts';

test.each([
  ['what a link of Next fetches in advance', 'GET', { 'next-router-prefetch': '1' }, true],
  ['one of its parts', 'GET', { 'next-router-prefetch': '2', 'next-router-segment-prefetch': '/_tree' }, true],
  ['what a browser fetches in advance', 'GET', { 'sec-purpose': 'prefetch' }, true],
  ['what an older browser does', 'GET', { purpose: 'Prefetch' }, true],
  ['what is shown later without being asked for again', 'GET', { 'sec-purpose': 'prefetch;prerender' }, false],
  ['a page that is opened', 'GET', { rsc: '1' }, false],
  ['what writes', 'POST', { 'next-router-prefetch': '1' }, false],
])('%s', (_name, method, headers, expected) => {
  expect(isPrefetch({ method, headers })).toBe(expected);
});
