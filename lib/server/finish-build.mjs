import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { project } from '#lib/system/installation.mjs';
import { markFinished } from './build-pages.ts';
import { keepCompiled } from './compile-cache.mjs';
import { writeStaticCopies } from './static-copies.ts';

// Runs once after a build or a package installation, in a separate process. Compiles the modules that a start and the first pages load, so
// that later ones are faster, and compresses the scripts and stylesheets. Serves nothing and opens no database.
const [, , built = path.join(project, '.next')] = process.argv;
setPriority(constants.priority.PRIORITY_LOW);
process.env.NODE_ENV = 'production';
process.env.NEXT_RUNTIME = 'nodejs';
keepCompiled(project);
const load = createRequire(path.join(project, 'package.json'));
load('next/dist/server/node-environment');
for (const name of ['next', 'next/dist/server/lib/start-server']) load(name);
const pages = globSync('{middleware,app/**/page,app/**/route}.js', { cwd: path.join(built, 'server') });
for (const file of pages) load(path.join(built, 'server', file));
await Promise.all([
  import('./start.ts'),
  import('./open-data-directory.ts'),
  import('./start-worker.ts'),
  import('./open-performer.ts'),
  writeStaticCopies(built),
]);
markFinished(built);
process.exit(0);
