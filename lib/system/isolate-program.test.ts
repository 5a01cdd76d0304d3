import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { canEnter, type ServerUser, unusedUser } from './server-user.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const SECRET = 'hunter22-of-the-tests';
const isRoot = process.getuid?.() === 0;
const another = isRoot ? unusedUser() : null;

/** Reads the environment of every visible process, ancestors first, and prints how many contain the secret. */
const LOOK = `
const fs = require('node:fs');
const read = (file) => { try { return fs.readFileSync(file, 'utf8'); } catch { return ''; } };
const chain = [];
for (let id = String(process.ppid); id > 0; id = /PPid:\\s*(\\d+)/.exec(read('/proc/' + id + '/status'))?.[1] ?? '0') chain.push(id);
const ids = [...chain, ...fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name))];
const found = [...new Set(ids)].filter((id) => read('/proc/' + id + '/environ').includes('${SECRET}'));
console.log(JSON.stringify({ uid: process.getuid(), found: found.length, own: Object.keys(process.env).sort() }));`;

/** Acts as the app: hides its environment, prints what is still visible, and starts the program as an MCP server. */
const APP = `
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { restartProcess } from '${PROJECT}/lib/server/restart-process.mjs';
restartProcess();
const { isolateProgram, programIsolation } = await import('${PROJECT}/lib/system/isolate-program.ts');
console.log(JSON.stringify({
  kept: process.env.HONE_SECRET,
  shown: readFileSync('/proc/self/environ', 'utf8').includes('${SECRET}'),
  isolation: programIsolation(),
}));
const { command, args, env, cwd } = isolateProgram(process.execPath, ['-e', ${JSON.stringify(LOOK)}], { PATH: process.env.PATH, HOME: '/' });
spawn(command, args, { env, cwd, stdio: ['ignore', 'inherit', 'inherit'] });`;

/** Acts as npm: a parent process whose environment stays visible. */
const STARTER = `
const { spawn } = require('node:child_process');
spawn(process.execPath, ['--input-type=module', '-e', process.argv[1]], { stdio: 'inherit' });`;

async function run(user: ServerUser | null) {
  const child = spawn(process.execPath, ['-e', STARTER, APP], {
    ...user,
    cwd: '/',
    env: { PATH: process.env.PATH, HONE_SECRET: SECRET, OPENAI_API_KEY: SECRET, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [app, program] = output.split('\n');
  expect(errors).toBe('');
  return { app: JSON.parse(app ?? ''), program: JSON.parse(program ?? '') };
}

describe.runIf(process.platform === 'linux')('a program started as an MCP server', () => {
  test.runIf(isRoot)('run by root, runs as another user and finds no secret in any process', async () => {
    const { app, program } = await run(null);
    expect(app).toEqual({ kept: SECRET, shown: false, isolation: 'user' });
    expect(program).toMatchObject({ found: 0, own: expect.not.arrayContaining(['HONE_SECRET', 'OPENAI_API_KEY']) });
    expect(program.uid).not.toBe(0);
    expect(program.uid).not.toBe(65_534);
  });

  const canRun =
    !isRoot ||
    (another !== null && [PROJECT, path.dirname(process.execPath)].every((folder) => canEnter(another, folder)));
  test.runIf(canRun)('run by an ordinary user, finds no secret if the system has namespaces', async () => {
    const { app, program } = await run(another);
    expect(app).toMatchObject({ kept: SECRET, shown: false });
    // Without namespaces only the process that started the app still exposes it.
    expect(program.found).toBe(app.isolation === 'namespace' ? 0 : 1);
    expect(program.uid).toBe(another?.uid ?? process.getuid?.());
  });
});
