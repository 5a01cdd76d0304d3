import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { z } from 'zod';
import { SMALL } from '../api/open-api.ts';
import { type AttackTable, eachOf } from './attack.ts';

const made = z.object({ id: z.string() });

/** Fields that only Hone sets, sent together with valid input. */
const CLAIMS: [string, [path: string, body: Record<string, unknown>, claim: Record<string, unknown>]][] = [
  ['a lesson with the status promoted', ['/api/v1/lessons', { kind: 'lesson', text: 'x' }, { status: 'promoted' }]],
  ['a lesson created by another person', ['/api/v1/lessons', { kind: 'lesson', text: 'x' }, { createdBy: 'owner' }]],
  ['a lesson with another author', ['/api/v1/lessons', { kind: 'lesson', text: 'x' }, { authorId: 'owner' }]],
  ['a dataset with a chosen id', ['/api/v1/datasets', { name: 'x', cases: [{ input: 'x' }] }, { id: randomUUID() }]],
  ['an experiment created by another person', ['/api/v1/experiments', SMALL, { createdBy: 'owner' }]],
  ['a token of another member', ['/api/v1/tokens', { name: 'x', scopes: ['runs:read'] }, { memberId: randomUUID() }]],
  ['a token with the owner role', ['/api/v1/tokens', { name: 'x', scopes: ['runs:read'] }, { role: 'owner' }]],
];

export const OWNERSHIP: AttackTable = {
  kind: 'other members’ data (in addition to the matrix)',
  attacks: [
    ...eachOf(CLAIMS, async ({ owner }, [path, body, claim]) => {
      const [field] = Object.keys(claim);
      expect(await owner.call('POST', path, { ...body, ...claim })).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid', field, message: expect.stringContaining('is not a known setting') } },
      });
      // The request succeeds without the field, so that field was the reason for the rejection.
      expect((await owner.call('POST', path, body)).status).toBe(201);
    }),
    {
      name: 'a token with an unknown scope',
      attempt: async ({ owner, editor }) => {
        const token = { name: 'x', scopes: ['owner', '*', 'admin:write'] };
        const refused = await owner.call('POST', '/api/v1/tokens', token);
        expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('scopes') });
        expect((await editor.call('POST', '/api/v1/tokens', { ...token, scopes: ['runs:read'] })).status).toBe(403);
      },
    },
    {
      name: 'an editor who makes themselves an owner',
      attempt: async ({ editor, members, database }) => {
        const own = members.editor.memberId;
        for (const body of [{ role: 'owner' }, { disabled: false, role: 'owner' }])
          expect((await editor.call('PATCH', `/api/v1/members/${own}`, body)).status).toBe(403);
        const { rows } = await database.query('SELECT role FROM members WHERE id = $1', [own]);
        expect(rows).toEqual([{ role: 'editor' }]);
      },
    },
    {
      name: 'the last owner cannot be demoted or disabled',
      attempt: async ({ owner, members }) => {
        const own = members.owner.memberId;
        for (const body of [{ role: 'viewer' }, { disabled: true }])
          expect((await owner.call('PATCH', `/api/v1/members/${own}`, body)).status).toBe(409);
      },
    },
    {
      name: 'ending another member’s session',
      attempt: async ({ editor, owner, database, members }) => {
        const { rows } = await database.query<{ id: string }>('SELECT id FROM sessions WHERE member_id = $1', [
          members.owner.memberId,
        ]);
        expect(rows.length).toBeGreaterThan(0);
        for (const { id } of rows)
          expect((await editor.call('DELETE', `/api/v1/account/sessions/${id}`)).status).toBe(404);
        expect((await owner.call('GET', '/api/v1/experiments')).status).toBe(200);
      },
    },
    {
      name: 'a lesson promoted by its author, by session and by token',
      attempt: async ({ editor, anonymous, members, fromNewAddress }) => {
        const lesson = await editor.read(made.loose(), 'POST', '/api/v1/lessons', {
          kind: 'lesson',
          text: 'Say what the parts do.',
        });
        const verdict = { verdict: 'promote', reason: 'Mine is best.', editCount: 0 };
        const path = `/api/v1/lessons/${lesson.id}/reviews`;
        expect([403, 409]).toContain((await editor.call('POST', path, verdict)).status);
        const headers = { authorization: `Bearer ${members.editor.token}`, ...fromNewAddress() };
        expect([403, 409]).toContain((await anonymous.call('POST', path, verdict, { headers })).status);
        expect((await editor.call('GET', `/api/v1/lessons/${lesson.id}`)).text).not.toMatch(/"status":"promoted"/);
      },
    },
    {
      name: 'an id of another resource type',
      attempt: async ({ owner, hostile }) => {
        const { runId, datasetId, lessonId, experimentId } = await hostile();
        for (const path of [
          `/api/v1/runs/${datasetId}`,
          `/api/v1/datasets/${runId}`,
          `/api/v1/lessons/${experimentId}`,
          `/api/v1/experiments/${lessonId}`,
          `/api/v1/batches/${runId}`,
          `/api/v1/notes/${runId}`,
          `/api/v1/runs/${runId}/calls/999999`,
          `/api/v1/datasets/${datasetId}/versions/999999`,
        ]) {
          const { status } = await owner.call('GET', path);
          expect({ path, status: [404, 405].includes(status) }).toEqual({ path, status: true });
        }
      },
    },
    {
      name: 'a forged cursor',
      attempt: async ({ owner }) => {
        for (const list of ['experiments', 'datasets', 'runs', 'lessons', 'prompts']) {
          for (const cursor of ["1_' OR 1=1 --", '-1', '9'.repeat(40), '__proto__', btoa('{"id":"x"}')]) {
            const { status } = await owner.call('GET', `/api/v1/${list}?cursor=${encodeURIComponent(cursor)}`);
            expect({ list, cursor, status }).toEqual({ list, cursor, status: 400 });
          }
        }
      },
    },
  ],
};
