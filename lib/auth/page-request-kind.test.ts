import { expect, test } from 'vitest';
import { type PageRequestKind, pageRequestKind } from './page-request-kind.ts';

test.each<[string, string, Record<string, string>, PageRequestKind]>([
  ['what a link of Next fetches in advance', 'GET', { rsc: '1', 'next-router-prefetch': '1' }, 'prefetch'],
  ['one of its parts', 'GET', { 'next-router-prefetch': '2', 'next-router-segment-prefetch': '/_tree' }, 'prefetch'],
  ['what a browser fetches in advance', 'GET', { 'sec-purpose': 'prefetch' }, 'prefetch'],
  ['what an older browser does', 'GET', { purpose: 'Prefetch' }, 'prefetch'],
  ['what is shown later without being asked for again', 'GET', { 'sec-purpose': 'prefetch;prerender' }, 'document'],
  ['a page that a click inside Hone opens', 'GET', { rsc: '1' }, 'navigation'],
  ['a page that is opened by its address', 'GET', {}, 'document'],
  ['what writes', 'POST', { 'next-router-prefetch': '1' }, 'document'],
])('%s', (_name, method, headers, expected) => {
  expect(pageRequestKind({ method, headers })).toBe(expected);
});
