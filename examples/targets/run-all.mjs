// Builds the SDKs, connects each app to Hone and tunes it. Arguments select apps by folder name. HONE_URL is the URL of Hone. Installed
// packages are kept in `work`, a separate folder (EXAMPLES_WORK).
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments, refuseArguments } from '../../lib/system/read-arguments.ts';

const here = import.meta.dirname;
const repository = path.resolve(here, '../..');
const work = process.env.EXAMPLES_WORK ?? path.join(tmpdir(), 'hone-examples');
const hone = process.env.HONE_URL ?? 'http://127.0.0.1:3000';
const MODEL_PORT = 8788;
const APP_PORT = 8789;

const APPS = {
  'ai-sdk': { npm: ['ai', '@ai-sdk/openai-compatible'] },
  langgraph: { npm: ['@langchain/langgraph', '@langchain/openai', '@langchain/core'] },
  mastra: { npm: ['@mastra/core', '@ai-sdk/openai-compatible', 'zod'] },
  python: { pip: [] },
  dspy: { pip: ['dspy'] },
};

const USAGE = `Usage: npm run examples -- [app ...]

Connects each example app to a running Hone (HONE_URL) and tunes it. Apps: ${Object.keys(APPS).join(', ')}`;
const { operands } = readArguments(USAGE, { options: {}, operands: [0, Object.keys(APPS).length] });
const unknown = operands.find((name) => !Object.hasOwn(APPS, name));
if (unknown !== undefined) refuseArguments(`There is no example '${unknown}'.`, USAGE);
const chosen = operands.length > 0 ? operands : Object.keys(APPS);

const started = [];
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });

/** Starts a program with its output passed through, so that failures are visible. */
function start(command, args, cwd, more = {}) {
  const env = { ...process.env, HONE_URL: hone, MODEL_URL: `http://127.0.0.1:${MODEL_PORT}/v1`, ...more };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
  started.push(child);
  return child;
}

function packTypeScript() {
  const sdk = path.join(repository, 'sdk/typescript');
  const copy = path.join(work, 'sdk');
  mkdirSync(copy, { recursive: true });
  run(path.join(repository, 'node_modules/.bin/tsc'), ['-p', '.'], sdk);
  return path.join(copy, run('npm', ['pack', '--silent', '--pack-destination', copy], sdk).trim());
}

function installNpm(folder, packages) {
  // The SDK version does not change with its code, so npm must be forced to reinstall it.
  for (const kept of ['node_modules/hone-sdk', 'package-lock.json'])
    rmSync(path.join(folder, kept), { recursive: true, force: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  run('npm', ['install', '--no-audit', '--no-fund', packed, ...packages], folder);
}

function installPip(folder, packages) {
  const python = path.join(folder, 'venv/bin/python');
  if (!existsSync(python)) run('python3', ['-m', 'venv', path.join(folder, 'venv')], folder);
  run(python, ['-m', 'pip', 'install', '-q', path.join(repository, 'sdk/python'), ...packages], folder);
  return python;
}

/** Adds an app by URL. Hone calls it, and the app contains no Hone code. */
async function addByUrl(name) {
  const response = await fetch(`${hone}/api/v1/targets/${name}`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/json',
      ...(process.env.HONE_API_TOKEN && { authorization: `Bearer ${process.env.HONE_API_TOKEN}` }),
    },
    body: JSON.stringify({
      kind: 'http',
      url: `http://127.0.0.1:${APP_PORT}`,
      components: { system_prompt: { text: 'Sort the ticket. Answer with one word.' } },
    }),
  });
  if (!response.ok) throw new Error(await response.text());
}

async function isKnown(name) {
  const headers = process.env.HONE_API_TOKEN ? { authorization: `Bearer ${process.env.HONE_API_TOKEN}` } : {};
  return (await fetch(`${hone}/api/v1/targets/${name}`, { headers })).ok;
}

const health = await fetch(`${hone}/api/v1/health`).catch(() => null);
if (!health?.ok) {
  console.error(
    health === null
      ? `Hone does not respond at ${hone}. Start it with \`npm start\`, or set HONE_URL.`
      : `${hone}/api/v1/health responded with status ${health.status}. Check HONE_URL and the log of Hone.`,
  );
  process.exit(1);
}
const packed = packTypeScript();

const tools = path.join(work, 'tools');
mkdirSync(tools, { recursive: true });
installNpm(tools, []);
for (const file of ['tune.ts', 'model-server.ts']) copyFileSync(path.join(here, file), path.join(tools, file));
start('node', ['model-server.ts'], tools, { PORT: String(MODEL_PORT) });
try {
  for (const name of chosen) {
    const folder = path.join(work, name);
    mkdirSync(folder, { recursive: true });
    const app = APPS[name];
    const file = app.npm === undefined ? 'app.py' : 'app.ts';
    copyFileSync(path.join(here, name, file), path.join(folder, file));
    let command = 'node';
    if (app.npm === undefined) command = installPip(folder, app.pip);
    else installNpm(folder, app.npm);
    const child = start(command, [file], folder, { PORT: String(APP_PORT) });
    if (name === 'ai-sdk') await addByUrl(name);
    for (let tries = 0; !(await isKnown(name)); tries++) {
      if (tries > 60 || child.exitCode !== null) throw new Error(`${name} did not connect.`);
      await sleep(500);
    }
    process.stdout.write(run('node', ['tune.ts', name], tools));
    child.kill();
  }
} finally {
  for (const child of started) child.kill();
}
