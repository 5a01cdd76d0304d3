import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { freePort } from '../free-port.ts';

const SECRET = 'the secret of the webhook';
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const hasPython = (() => {
  try {
    execFileSync('python3', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

async function startExample(command: string, args: string[]): Promise<string> {
  const port = await freePort();
  const env = { ...process.env, HONE_WEBHOOK_SECRET: SECRET, PORT: String(port) };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return `http://127.0.0.1:${port}`;
}

async function send(url: string, output: string, age = 0, secret = SECRET): Promise<Response> {
  const body = JSON.stringify({
    criterion: { name: 'length', description: '', threshold: 0.8 },
    output,
    input: 'Say it.',
    reference: null,
  });
  const timestamp = String(Math.floor(Date.now() / 1000) - age);
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return fetch(url, { method: 'POST', body, headers: { 'hone-timestamp': timestamp, 'hone-signature': signature } });
}

describe.each([
  { language: 'TypeScript', command: process.execPath, file: 'server.ts', runs: true },
  { language: 'Python', command: 'python3', file: 'server.py', runs: hasPython },
])('webhook evaluator in $language', ({ command, file, runs }) => {
  test.runIf(runs)('scores requests signed by Hone and rejects all others', async () => {
    const url = await startExample(command, [`examples/webhook-evaluator/${file}`]);
    const short = await send(url, 'A short text.');
    expect(await short.json()).toMatchObject({ score: 1 });
    const long = await send(url, 'word '.repeat(100));
    expect(await long.json()).toMatchObject({ score: 0.5 });
    expect((await send(url, 'A short text.', 0, 'another secret')).status).toBe(401);
    expect((await send(url, 'A short text.', 3_600)).status).toBe(401);
    // Longer in UTF-8 than a signature of as many characters.
    const headers = { 'hone-timestamp': String(Math.floor(Date.now() / 1000)), 'hone-signature': '\u00e9'.repeat(64) };
    expect((await fetch(url, { method: 'POST', body: '{}', headers })).status).toBe(401);
    expect((await send(url, 'A short text.')).status).toBe(200);
  });
});

test.each([
  [process.execPath, 'server.ts', true],
  ['python3', 'server.py', hasPython],
])('%s %s does not start without the secret', (command, file, runs) => {
  if (!runs) return;
  const { HONE_WEBHOOK_SECRET: _, ...env } = process.env;
  const { status, stderr } = spawnSync(command, [`examples/webhook-evaluator/${file}`], { env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('Set HONE_WEBHOOK_SECRET');
});

const DRAFT = 'Open the page and change it.';
const REVISION = 'Open Settings, choose Password, and follow the link in the mail.';

/**
 * Returns the fake model's response: a revision if the prompt contains the critique, otherwise a draft or a judgement of the given text.
 */
function answerOf(system: string, user: string): string {
  if (system.startsWith('You write short')) return user.includes('Name the page') ? REVISION : DRAFT;
  const issue = { text: 'Name the page.', criterion: 'clarity' };
  if (system.includes('You review a draft')) return JSON.stringify({ summary: '', issues: [issue], suggestions: [] });
  const isClear = user.includes(REVISION);
  const judged = { name: 'clarity', score: isClear ? 0.95 : 0.2, reason: '', suggestions: [] };
  return JSON.stringify({ criteria: [{ ...judged, issues: isClear ? [] : [issue.text] }], confidence: 0.9 });
}

test('the embedded engine revises a text until the judge passes it', async () => {
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8'));
    const [system, user] = body.messages.map(({ content }: { content: string }) => content);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: answerOf(system, user) } }] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.custom<AddressInfo>().parse(server.address());
  const child = spawn(process.execPath, ['--conditions=hone-source', 'examples/engine/own-model.ts'], {
    env: { ...process.env, OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: 'k', MODEL: 'm' },
  });
  started.push(child);
  const [printed] = await Promise.all([child.stdout.toArray(), once(child, 'exit')]);
  server.close();
  const text = Buffer.concat(printed).toString('utf8');
  expect(text).toContain('version 0: 0.60\nversion 1: 0.97\nstopped: quality_met');
  expect(text).toContain(REVISION);
});

test('the gate workflow is valid YAML and uses only existing gate options', () => {
  const text = readFileSync('examples/ci-gate/hone-gate.yml', 'utf8');
  expect(parse(text)).toMatchObject({ jobs: { gate: expect.anything() } });
  const options = [...text.matchAll(/--([a-z-]+) /g)].map(([, name]) => name);
  const help = readFileSync('lib/gate/run-gate.ts', 'utf8');
  for (const option of options) expect(help).toContain(option);
});

test('the examples workflow runs existing commands and watches existing folders', () => {
  const workflow = z
    .object({
      on: z.object({ schedule: z.array(z.unknown()).min(1), push: z.object({ paths: z.array(z.string()) }) }),
      jobs: z.object({ targets: z.object({ steps: z.array(z.object({ run: z.string().optional() })) }) }),
    })
    .parse(parse(readFileSync('.github/workflows/examples.yml', 'utf8')));
  for (const watched of workflow.on.push.paths) expect(existsSync(watched.replace('/**', ''))).toBe(true);
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const commands = workflow.jobs.targets.steps.map(({ run = '' }) => run).join('\n');
  const named = [...commands.matchAll(/npm (?:run )?(\w+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'ci');
  expect(named).toEqual(['build', 'start', 'examples']);
  for (const name of named) expect(scripts).toHaveProperty(name);
});
