import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pagedByTime, readQuery } from '#lib/http/parameters.ts';
import { cleanText } from './query-values.ts';

const schema = z.strictObject({
  ...pagedByTime,
  status: z.enum(['queued', 'running'], { error: 'must be one of queued, running' }).optional(),
  actorId: z.string().optional(),
  search: z.string().transform(cleanText).optional(),
});
const cursor = '1763800000000_0b5c8f0e-6a52-4a5e-9a0e-0d6f6c1f2a3b';
const read = (query: string) => readQuery(new Request(`http://127.0.0.1/x${query}`), schema);

describe('readQuery', () => {
  test.each([
    ['no parameters', '', { limit: 50 }],
    ['a page', `?cursor=${cursor}&limit=200`, { cursor, limit: 200 }],
    ['a filter', '?status=running&limit=1', { status: 'running', limit: 1 }],
    ['replaced U+0000', '?search=a%00b', { search: 'a\uFFFDb', limit: 50 }],
  ])('reads %s', (_name, query, value) => {
    expect(read(query)).toEqual({ ok: true, value });
  });

  test.each([
    ['a limit of 0', '?limit=0', 'limit'],
    ['a limit above 200', '?limit=201', 'limit'],
    ['a limit that is not a number', '?limit=ten', 'limit'],
    ['a negative limit', '?limit=-1', 'limit'],
    ['a fractional limit', '?limit=1.5', 'limit'],
    ['a limit in hexadecimal', '?limit=0x10', 'limit'],
    ['an empty limit', '?limit=', 'limit'],
    ['a repeated limit', '?limit=1&limit=2', 'limit'],
    ['an empty cursor', '?cursor=', 'cursor'],
    ['a forged cursor', '?cursor=1_------------------------------------', 'cursor'],
    ['U+0000', '?actorId=%00', 'actorId'],
    ['U+0000 within text', '?actorId=a%00b&limit=1', 'actorId'],
    ['an unknown value', '?status=done', 'status'],
    ['an unknown parameter', '?state=running', 'state'],
    ['a parameter named like an Object.prototype member', '?__proto__=1', '__proto__'],
  ])('names the field of %s', (_name, query, field) => {
    const result = read(query);
    expect(result).toMatchObject({ ok: false, problem: { code: 'invalid', field } });
    expect(result.ok ? '' : result.problem.message).toContain(field);
  });

  test.each([
    ['?limt=1', 'This route has no query parameter limt. Did you mean limit?'],
    ['?actor_id=1', 'This route has no query parameter actor_id. Did you mean actorId?'],
    ['?unheard=1', 'This route has no query parameter unheard.'],
  ])('suggests the parameter that %s probably means', (query, message) => {
    expect(read(query)).toMatchObject({ ok: false, problem: { message } });
  });
});
