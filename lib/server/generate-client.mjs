// Plain JavaScript, because it runs before anything is generated, also under tools that cannot read TypeScript.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { project } from '#lib/system/installation.mjs';

const generated = path.join(project, 'lib/database/generated');
const stamp = path.join(generated, '.made-from');

/**
 * Generates the Prisma client if prisma/schema.prisma changed since the last time. Needs no internet access.
 * @param {AbortSignal} [signal] cancels the generation
 * @returns {Promise<void>} rejects with the output of `prisma generate` if it fails
 */
export async function generateClient(signal) {
  const madeFrom = fingerprint();
  if (existsSync(path.join(generated, 'client.ts')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === madeFrom)
    return;
  await runGenerate(signal);
  writeFileSync(stamp, madeFrom);
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of ['prisma/schema.prisma', 'prisma.config.ts', 'node_modules/prisma/package.json']) {
    hash.update(readFileSync(path.join(project, file)));
  }
  return hash.digest('hex');
}

/** @param {AbortSignal} [signal] */
function runGenerate(signal) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(project, 'node_modules/prisma/build/index.js'), 'generate'], {
      cwd: project,
      signal,
      killSignal: 'SIGKILL',
      // Prisma would download an engine that `generate` never runs. Any executable satisfies the check.
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        CHECKPOINT_DISABLE: '1',
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (bytes) => (output += bytes));
    child.stderr.on('data', (bytes) => (output += bytes));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(undefined) : reject(new Error(`prisma generate failed:\n${output.trim()}`)),
    );
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runAsScript();

/** A failure does not end an installation, because a start generates the client too and reports what it needs. */
async function runAsScript() {
  try {
    await generateClient();
  } catch (error) {
    if (process.env.npm_lifecycle_event !== 'prepare') throw error;
    console.error(`The database client was not generated. The first start tries it again. ${error}`);
  }
}
