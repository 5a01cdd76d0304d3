// Plain JavaScript that old versions of Node can read, so that they can say which version is needed.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { keepCompiled } from './compile-cache.mjs';
import { hideEnvironment } from './hide-environment.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const project = path.resolve(here, '../..');

const problem = findProblem();
if (problem !== null) {
  console.error(problem);
  process.exit(1);
}
hideEnvironment();
// A build empties the folder that the cache is in.
if (!process.argv.includes('--build')) keepCompiled(project);
const { start } = await import(pathToFileURL(path.join(here, 'start.ts')).href);
await start(process.argv.slice(2));

/** What must be mended before anything can start; null when nothing. */
function findProblem() {
  const installed = existsSync(path.join(project, 'node_modules/next/package.json'));
  const ownNode = existsSync(path.join(project, 'node_modules/.bin/node'));
  if (!installed) return 'The packages are not installed. Run this first:\n\n  npm ci\n';
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return null;
  const found = `Hone needs Node 22.18 or newer, but this is Node ${process.versions.node}.`;
  if (ownNode) return `${found} \`npm ci\` installed Node 24, and npm scripts use it:\n\n  npm start\n`;
  return `${found} Let npm install Node 24 in this folder:\n\n  npm ci --include=optional --ignore-scripts=false\n\nor install Node 24 from https://nodejs.org, then run \`npm start\` again.\n`;
}
