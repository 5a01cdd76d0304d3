import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { project } from '#lib/system/installation.mjs';
import { keepCompiled } from './compile-cache.mjs';

// Runs once after a build or a package installation, in a separate process. Compiles the modules that a start and the first pages load, so
// that the first start is as fast as later ones. Serves nothing and opens no database.
process.env.NODE_ENV = 'production';
process.env.NEXT_RUNTIME = 'nodejs';
keepCompiled(project);
const load = createRequire(path.join(project, 'package.json'));
load('next/dist/server/node-environment');
for (const name of ['next', 'next/dist/server/lib/start-server']) load(name);
const built = globSync('{instrumentation,middleware,app/**/page,app/**/route}.js', {
  cwd: path.join(project, '.next/server'),
});
for (const file of built) load(path.join(project, '.next/server', file));
await Promise.all([
  import('./start.ts'),
  import('./open-data-directory.ts'),
  import('./start-worker.ts'),
  import('./open-performer.ts'),
]);
process.exit(0);
