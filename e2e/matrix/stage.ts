import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { inviteMember } from '#lib/auth/create-member-links.ts';
import { SMALL } from '../api/open-api.ts';
import { type TeamApp, withPrisma } from '../team-app.ts';
import type { Ids } from './row.ts';

/** Sends a request as an owner and returns the parsed response. Throws if the request fails. */
export type RequestAsOwner = <Schema extends z.ZodType>(
  shape: Schema,
  method: string,
  path: string,
  body?: unknown,
) => Promise<z.infer<Schema>>;

const made = z.object({ id: z.string() });
const anything = z.unknown();

/** Creates one item for each id in a path, all owned by the owner, including a waiting run with two versions. */
export async function stageIds(
  request: RequestAsOwner,
  { as, database }: Pick<TeamApp, 'as' | 'database'>,
): Promise<Ids> {
  const cases = [{ input: 'What is 2 + 3?' }, { input: 'What is 4 + 5?' }];
  const dataset = await request(made, 'POST', '/api/v1/datasets', { name: 'Sums', cases });
  const experiment = await request(made, 'POST', '/api/v1/experiments', {
    ...SMALL,
    name: 'A person decides at the end',
    callbacks: { pause: 'before_finish' },
    maxIterations: 1,
    qualityThreshold: 1,
    convergence: null,
  });
  const input = 'Explain how a bicycle stays upright.';
  const started = await request(
    z.object({ batchId: z.string(), runIds: z.array(z.string()).length(1) }),
    'POST',
    `/api/v1/experiments/${experiment.id}/runs`,
    { input },
  );
  const run = started.runIds[0] ?? '';
  await waitFor(request, `/api/v1/runs/${run}`, 'waiting');
  const listed = z.object({ items: z.array(z.object({ id: z.int() })).min(1) });
  const calls = await request(listed, 'GET', `/api/v1/runs/${run}/calls`);
  const note = await request(made, 'POST', `/api/v1/runs/${run}/notes`, { text: 'Mine alone to change.' });
  const lesson = await request(made, 'POST', '/api/v1/lessons', {
    kind: 'lesson',
    text: 'Say which bicycle, then how.',
  });
  await waitFor(request, `/api/v1/lessons/${lesson.id}`, 'quarantined');
  const prompt = 'staged-prompt';
  await request(anything, 'POST', '/api/v1/prompts', { name: prompt, text: 'Answer shortly: {{input}}' });
  await request(anything, 'PUT', `/api/v1/prompts/${prompt}/labels/production`, { version: 1, reason: 'The first' });
  const provider = 'staged-provider';
  await request(anything, 'POST', '/api/v1/providers', {
    name: provider,
    kind: 'openai',
    apiKey: 'staged-key-of-nobody',
  });
  const webhook = 'staged-webhook';
  await request(anything, 'POST', '/api/v1/webhooks', { name: webhook, url: 'https://hooks.invalid/staged' });
  const server = 'staged-server';
  await request(anything, 'POST', '/api/v1/mcp-servers', {
    kind: 'http',
    name: server,
    url: 'https://tools.invalid/mcp',
  });
  const target = 'staged-target';
  await request(anything, 'PUT', `/api/v1/targets/${target}`, { kind: 'sdk' });
  const comment = await request(made, 'POST', `/api/v1/lessons/${lesson.id}/comments`, {
    text: 'Mine alone to change.',
  });
  // The author of a lesson can't be assigned to review it.
  const assigned = { memberId: as('reviewer').memberId };
  await request(anything, 'POST', `/api/v1/lessons/${lesson.id}/assignments`, assigned);
  await request(anything, 'POST', `/api/v1/runs/${run}/assignments`, assigned);
  const invited = await invite({ as, database });
  return {
    api: 'nowhere',
    assignments: as('reviewer').memberId,
    backups: 'hone-absent.backup',
    batches: started.batchId,
    calls: String(calls.items[0]?.id),
    cases: 'case-1',
    comments: comment.id,
    datasets: dataset.id,
    deliveries: await insertDelivery(database, webhook, run),
    docs: 'concepts',
    page: 'loop',
    experiments: experiment.id,
    files: 'f'.repeat(64),
    inbox: run,
    invitations: invited.id,
    jobs: '00000000-0000-4000-8000-000000000000',
    join: invited.path.replace('/join/', ''),
    labels: 'production',
    lessons: lesson.id,
    'mcp-servers': server,
    members: as('viewer').memberId,
    notes: note.id,
    prompts: prompt,
    providers: provider,
    runs: run,
    sessions: await ownersOwn(database, 'sessions', as('owner').memberId),
    targets: target,
    tokens: await ownersOwn(database, 'api_tokens', as('owner').memberId),
    versions: '1',
    webhooks: webhook,
  };
}

const status = z.object({ status: z.string() });

/** Polls until an item has the given status. */
async function waitFor(request: RequestAsOwner, path: string, wanted: string): Promise<void> {
  const until = Date.now() + 30_000;
  for (;;) {
    const found = await request(status, 'GET', path);
    if (found.status === wanted) return;
    if (Date.now() > until) throw new Error(`${path} is still ${found.status}, not ${wanted}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Inserts an old delivery, because nothing is actually sent here. */
async function insertDelivery(database: Pick<pg.Pool, 'query'>, webhook: string, runId: string): Promise<string> {
  const id = randomUUID();
  await database.query(
    `INSERT INTO webhook_deliveries (id, webhook, run_id, pause_id, state, tries, request_body, created_at)
     VALUES ($1, $2, $3, $4, 'failed', 1, '{}', now())`,
    [id, webhook, runId, randomUUID()],
  );
  return id;
}

/** Creates an unused invitation. */
async function invite({ as, database }: Pick<TeamApp, 'as' | 'database'>): Promise<{ id: string; path: string }> {
  const { memberId, name } = as('owner');
  const actor = { id: memberId, memberId, name, role: 'owner' as const };
  const link = await inviteMember(withPrisma(database), actor, { role: 'owner', label: 'Nobody yet' }, new Date());
  if (!link.ok) throw new Error(link.problem.message);
  return link.value;
}

/** Returns the id of a session or token of a member. */
async function ownersOwn(database: pg.Pool, table: 'sessions' | 'api_tokens', memberId: string): Promise<string> {
  const { rows } = await database.query(`SELECT id FROM ${table} WHERE member_id = $1 LIMIT 1`, [memberId]);
  return made.parse(rows[0]).id;
}
