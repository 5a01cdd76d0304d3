import { homedir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { extract } from 'tar-stream';
import { z } from 'zod';
import { startTeamApp, TEAM_PASSWORD, TEAM_SECRET, type TeamApp } from '../team-app.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');

/** Observability in team mode: logs, health and metrics, and who may read them. */
let team: TeamApp;
test.beforeAll(async () => {
  team = await startTeamApp();
});
test.afterAll(() => team.stop());

const ask = (path: string, headers: Record<string, string> = {}) => fetch(team.app.address + path, { headers });
const lineSchema = z.looseObject({
  level: z.enum(['info', 'warn', 'error']),
  time: z.iso.datetime(),
  message: z.string(),
});

/** Returns the complete log lines so far, without the startup output for the operator. */
function logged() {
  const lines = team.app.output().split('\n').slice(0, -1);
  const ofTheLog = lines.filter((line) => !/^(hone: .*| *https?:\S+)?$/.test(line));
  return ofTheLog.map((line) => lineSchema.parse(JSON.parse(line)));
}

test('logs each request with its authentication method and user, without secrets', async () => {
  const { cookie, token, memberId } = team.as('editor');
  const id = '0199a000-0000-7000-8000-000000000001';
  await ask(`/api/v1/runs/${id}?api_key=CANARY-1&x=CANARY-2`, {
    authorization: `Bearer ${token}`,
    'x-note': 'CANARY-3',
  });
  await ask('/runs/CANARY-4/CANARY-5');
  await ask('/join/CANARY-6');
  await ask('/runs', { cookie });
  await expect.poll(() => logged().filter(({ path }) => path === '/runs').length).toBeGreaterThan(0);
  const requests = logged().filter(({ message }) => message === 'request');
  expect(requests).toContainEqual(
    expect.objectContaining({
      method: 'GET',
      path: '/api/v1/runs/{id}',
      status: 400,
      actor: expect.stringMatching(/^token:/),
    }),
  );
  expect(requests).toContainEqual(expect.objectContaining({ path: '/runs', status: 200, actor: memberId }));
  expect(requests).toContainEqual(expect.objectContaining({ path: 'other', status: 404, actor: null }));
  expect(logged().filter(({ level }) => level === 'error')).toEqual([]);
  const text = JSON.stringify(logged());
  for (const secret of [
    'CANARY',
    token,
    cookie.split('=')[1]?.split(';')[0] ?? '',
    TEAM_PASSWORD,
    TEAM_SECRET,
    '@team.example',
  ])
    expect(text).not.toContain(secret);
});

test('signed-out visitors see only the status in the health response', async () => {
  const anonymous = await ask('/api/v1/health');
  expect([anonymous.status, await anonymous.json()]).toEqual([200, { status: 'ok' }]);
  const viewer = await ask('/api/v1/health', { cookie: team.as('viewer').cookie });
  expect(await viewer.json()).toMatchObject({ status: 'ok', database: 'ok', worker: 'working', reasons: [] });
});

test('signed-out visitors can download the SDK packages, which reveal nothing about this installation', async () => {
  for (const file of ['hone-sdk.tgz', 'hone-sdk.tar.gz']) {
    const response = await ask(`/sdk/${file}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/gzip']);
    const archive = extract();
    archive.end(gunzipSync(await response.arrayBuffer()));
    for await (const entry of archive) {
      const { name } = entry.header;
      expect(name).toMatch(
        /^(package|hone_sdk)\/(LICENSE|README\.md|package\.json|pyproject\.toml|(dist|src)\/[\w/-]+(\.d)?\.(js|ts|py|typed))$/,
      );
      const content = await text(entry);
      for (const secret of [PROJECT, team.app.dataFolder, `${homedir()}/`, TEAM_SECRET, TEAM_PASSWORD])
        expect(content.includes(secret), `${name} contains ${secret}`).toBe(false);
    }
  }
  expect((await ask('/sdk/constructor')).status).toBe(404);
});

test('metrics require a session or a token with read access', async () => {
  expect((await ask('/metrics')).status).toBe(401);
  const text = await (await ask('/metrics', { authorization: `Bearer ${team.as('viewer').token}` })).text();
  expect(text).toMatch(/^hone_worker_slots\{state="free"\} [1-9]/m);
  expect(text).toMatch(/^hone_processes\{kind="web"\} 1$/m);
  expect(text).toMatch(/^hone_http_request_seconds_count\{method="GET",route="\/metrics",status="4xx"\} 1$/m);
  expect(text).toMatch(/^hone_runs\{status="finished"\} \d+$/m);
});
