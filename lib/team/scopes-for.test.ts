import { describe, expect, test } from 'vitest';
import { ENTRIES, type Entry } from './entries.ts';
import { scopesFor } from './scopes-for.ts';

function entryNamed(name: string): Entry {
  const found = ENTRIES.find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`there is no entry ${name}`);
  return found;
}

describe('scopesFor', () => {
  test.each<[string, string[] | null]>([
    ['GET /api/v1/lessons', ['lessons:read']],
    ['GET /api/v1/lessons/{id}', ['lessons:read']],
    ['GET /api/v1/lessons/export', ['lessons:read']],
    ['POST /api/v1/lessons/recall', ['lessons:read']],
    ['POST /api/v1/lessons', ['lessons:write']],
    ['POST /api/v1/lessons/import', ['lessons:write']],
    ['DELETE /api/v1/lessons/{id}', ['lessons:write']],
    ['POST /api/v1/lessons/{id}/trials', ['lessons:write', 'runs:write']],
    ['POST /api/v1/lessons/{id}/instructions', ['lessons:write', 'runs:write']],
    ['POST /api/v1/lessons/{id}/reviews', null],
    ['GET /api/v1/runs/{id}', ['runs:read']],
    ['GET /api/v1/export/runs', ['runs:read']],
    ['POST /api/v1/experiments/{id}/runs', ['runs:write']],
    ['DELETE /api/v1/runs/{id}', ['runs:write']],
    ['GET /api/v1/search', ['lessons:read', 'runs:read']],
    ['GET /api/v1/health', []],
    ['GET /api/v1/members', null],
    ['GET /api/v1/audit/export', null],
    ['DELETE /api/v1/account/sessions/{id}', null],
    ['page /settings', null],
    ['action addWebhook', null],
  ])('%s', (name, scopes) => {
    expect(scopesFor(entryNamed(name))).toEqual(scopes);
  });

  test('nothing that writes is open to a token that may only read, but the recall of lessons', () => {
    const open = ENTRIES.filter(
      (entry) => entry.writes && (scopesFor(entry) ?? ['people']).every((scope) => scope.endsWith(':read')),
    );
    expect(open.map(({ name }) => name).sort()).toEqual(
      [
        'DELETE /api/{rest}',
        'PATCH /api/{rest}',
        'POST /api/mcp',
        'POST /api/v1/lessons/recall',
        'POST /api/{rest}',
        'PUT /api/{rest}',
        'DELETE /api/mcp',
      ].sort(),
    );
  });
});
