import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

type Room = {
  /** A folder, or one file. */
  path: string;
  /** Rooms it may import besides itself. */
  rooms: string[];
  /** Packages it may import, `node:` for Node's own; a star stands for any that belongs to no single room. */
  packages: string[];
};

const PURE = ['lib/reflection', 'lib/measures'];
const LIB = [
  'lib/reflection',
  'lib/measures',
  'lib/evaluators',
  'lib/models',
  'lib/models/tracing',
  'lib/lessons',
  'lib/outgoing',
  'lib/system',
  'lib/tools',
  'lib/tools/mcp',
  'lib/db',
  'lib/runs',
  'lib/runs/mcp',
  'lib/runs/metrics',
  'lib/team',
  'lib/log',
  'lib/start',
  'lib/start/app-database.ts',
  'lib/http',
];
/** A feature's routes (`api.ts`) and what they take and answer (`schema.ts`). */
const FEATURES = [
  ...['lib/experiments', 'lib/datasets', 'lib/prompts', 'lib/notes', 'lib/inbox', 'lib/insights', 'lib/providers'],
  ...['lib/webhooks', 'lib/backups'],
  ...['lib/lessons', 'lib/tools', 'lib/team'].flatMap((folder) => [`${folder}/api.ts`, `${folder}/schema.ts`]),
];
const TOP = ['lib/environment.ts', 'lib/format.ts'];

/**
 * The rooms of the house and what each may import: data goes one way, nothing imports upward. A room within another stands before
 * it, for a file is in the first that holds it.
 */
const ROOMS: Room[] = [
  ...FEATURES.map((path) => ({ path, rooms: [...LIB, ...TOP, ...FEATURES], packages: ['*'] })),
  { path: 'lib/api', rooms: [...LIB, ...TOP, ...FEATURES], packages: ['*'] },
  {
    path: 'lib/http',
    rooms: ['lib/reflection', 'lib/team', 'lib/log', 'lib/system', 'lib/db', 'lib/start', ...TOP],
    packages: ['*'],
  },
  { path: 'app', rooms: ['components', 'components/ui', 'lib/api', ...LIB, ...TOP], packages: ['*'] },
  { path: 'components/ui', rooms: ['lib/format.ts'], packages: ['*'] },
  { path: 'components', rooms: ['components/ui', 'lib/format.ts', ...PURE], packages: ['*'] },
  { path: 'lib/reflection', rooms: [], packages: ['zod'] },
  { path: 'lib/measures', rooms: ['lib/reflection'], packages: ['zod', 'simple-statistics'] },
  { path: 'lib/evaluators', rooms: ['lib/reflection', 'lib/models', 'lib/system'], packages: ['*'] },
  { path: 'lib/models/tracing', rooms: ['lib/models', 'lib/reflection'], packages: ['*', '@opentelemetry/'] },
  {
    path: 'lib/models',
    rooms: ['lib/models/tracing', 'lib/reflection', 'lib/outgoing'],
    packages: ['*', 'ai', '@ai-sdk/', '@pydantic/genai-prices'],
  },
  { path: 'lib/lessons', rooms: ['lib/reflection', 'lib/models'], packages: ['*'] },
  { path: 'lib/outgoing', rooms: ['lib/reflection', 'lib/environment.ts'], packages: ['*'] },
  {
    path: 'lib/tools/mcp',
    rooms: ['lib/tools', 'lib/reflection', 'lib/evaluators', 'lib/models', 'lib/outgoing', 'lib/system'],
    packages: ['*', '@modelcontextprotocol/client'],
  },
  {
    path: 'lib/tools',
    rooms: ['lib/tools/mcp', 'lib/reflection', 'lib/evaluators', 'lib/models', 'lib/outgoing'],
    packages: ['*'],
  },
  // Users and processes of the machine.
  { path: 'lib/system', rooms: [], packages: ['*'] },
  // Says what goes on; whoever runs may use it.
  { path: 'lib/log', rooms: [], packages: ['*', 'pino'] },
  // Reads return summaries of histories, so the pure rooms are open to it.
  { path: 'lib/db', rooms: [...PURE, 'lib/system'], packages: ['*', 'pg', 'pg-copy-streams', '@prisma/'] },
  { path: 'lib/runs/mcp', rooms: [...LIB, ...TOP], packages: ['*', '@modelcontextprotocol/'] },
  { path: 'lib/runs/metrics', rooms: [...LIB, ...TOP], packages: ['*', 'prom-client'] },
  { path: 'lib/runs', rooms: [...LIB, ...TOP, ...FEATURES], packages: ['*', 'pg-boss'] },
  // An API token is looked up in the app's own pool, which knows where the database is.
  { path: 'lib/start/app-database.ts', rooms: ['lib/db', 'lib/start'], packages: [] },
  {
    path: 'lib/team',
    rooms: ['lib/db', 'lib/reflection', 'lib/log', 'lib/system', 'lib/start/app-database.ts', 'lib/environment.ts'],
    packages: ['*', 'next', 'better-auth'],
  },
  {
    path: 'lib/start',
    rooms: [
      'lib/db',
      'lib/start/app-database.ts',
      'lib/api',
      'lib/http',
      'lib/reflection',
      'lib/runs',
      'lib/runs/metrics',
      'lib/team',
      'lib/log',
      'lib/system',
      'lib/environment.ts',
    ],
    packages: ['*', 'next'],
  },
  // They stand beside the rooms: the one word they share with all is the expected failure.
  { path: 'lib/environment.ts', rooms: ['lib/reflection'], packages: ['zod'] },
  { path: 'lib/format.ts', rooms: ['lib/reflection'], packages: [] },
  { path: 'proxy.ts', rooms: ['lib/team'], packages: ['*'] },
  { path: 'instrumentation.ts', rooms: ['lib/runs', 'lib/start'], packages: [] },
];

/** Packages that only the rooms naming them may import; a type alone ties nothing. */
const RESERVED = [
  'ai',
  '@ai-sdk/',
  'better-auth',
  'pg',
  'pg-boss',
  'pg-copy-streams',
  'pino',
  'prom-client',
  '@prisma/',
  '@modelcontextprotocol/',
  '@opentelemetry/',
];
const FOR_TESTS = ['vitest', 'fast-check', 'node:', '@modelcontextprotocol/'];

type Import = { file: string; target: string; typeOnly: boolean };

/** Why an import is not allowed; null when it is. */
function findFault({ file, target, typeOnly }: Import): string | null {
  const room = roomOf(file);
  if (room === null) return `${file} stands in no room`;
  const isTest = /\.test(-support)?\.tsx?$/.test(file);
  const inside = resolveInside(file, target);
  if (inside === null) {
    const allowed = [...room.packages, ...(isTest ? FOR_TESTS : [])];
    const isNamed = allowed.some(
      (name) => name === target || (/[/:]$/.test(name) ? target.startsWith(name) : target.startsWith(`${name}/`)),
    );
    const isReserved = RESERVED.some(
      (name) => name === target || target.startsWith(name.endsWith('/') ? name : `${name}/`),
    );
    if (isNamed || (allowed.includes('*') && (!isReserved || typeOnly))) return null;
    return `${file} imports the package ${target}, which ${room.path} may not`;
  }
  if (isTest && inside.startsWith('lib/db/')) return null;
  // The typed client of the API knows its routes by their types alone.
  if (file === 'components/api/call-api.ts' && typeOnly) return null;
  const there = roomOf(inside);
  if (there === null) return `${file} imports ${inside}, which stands in no room`;
  if (there === room || room.rooms.includes(there.path)) return null;
  return `${file} imports ${inside}, but ${room.path} may not import ${there.path}`;
}

function roomOf(file: string): Room | null {
  return ROOMS.find((room) => file === room.path || file.startsWith(`${room.path}/`)) ?? null;
}

/** A file of this project, from its root; null for a package. */
function resolveInside(file: string, target: string): string | null {
  if (target.startsWith('#')) return target.slice(1);
  if (target.startsWith('.')) return path.posix.normalize(path.posix.join(path.posix.dirname(file), target));
  return null;
}

/** Static, dynamic and re-exporting imports; comments are left out. */
function readImports(file: string, source: string): Import[] {
  const code = source.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
  const statements = code.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?['"]([^'"]+)['"]/gm);
  const calls = code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g);
  return [
    ...[...statements].map(([, type, target = '']) => ({ file, target, typeOnly: type !== undefined })),
    ...[...calls].map(([, target = '']) => ({ file, target, typeOnly: false })),
  ];
}

function readAllImports(): Import[] {
  const files = globSync('{app,components,lib}/**/*.{ts,tsx,mjs}').filter(
    (file) => !file.startsWith('lib/db/generated/') && !/^lib\/[^/]+\.test\.ts$/.test(file),
  );
  return [...files, 'proxy.ts', 'instrumentation.ts'].flatMap((file) => readImports(file, readFileSync(file, 'utf8')));
}

describe('the house', () => {
  const imports = readAllImports();

  test('imports only downward', () => {
    expect(imports.map(findFault).filter((fault) => fault !== null)).toEqual([]);
  });

  test('was read: every room that has files has imports', () => {
    expect(imports.length).toBeGreaterThan(300);
    for (const room of ['app', 'components', 'lib/reflection', 'lib/db', 'lib/runs', 'lib/models']) {
      expect(imports.some(({ file }) => roomOf(file)?.path === room)).toBe(true);
    }
  });

  test('imports files by their full names', () => {
    const faults = imports.filter(
      ({ file, target }) => resolveInside(file, target) !== null && !/\.(ts|tsx|mjs|css|svg|json)$/.test(target),
    );
    expect(faults).toEqual([]);
  });
});

describe('an import is refused', () => {
  test.each([
    ['the core asks the database', 'lib/reflection/next-step.ts', `import { listRuns } from '#lib/db/list-runs.ts';`],
    [
      'the core asks it by a relative path',
      'lib/reflection/next-step.ts',
      `import { listRuns } from '../db/list-runs.ts';`,
    ],
    ['the core asks the clock or files', 'lib/reflection/next-step.ts', `import fs from 'node:fs';`],
    ['a component reads', 'components/run/head.tsx', `import {\n  findRun,\n} from '#lib/db/find-run.ts';`],
    ['a component reads later', 'components/run/head.tsx', `const run = await import('#lib/db/find-run.ts');`],
    ['the database asks a use case', 'lib/db/find-run.ts', `import { stopRun } from '#lib/runs/stop-run.ts';`],
    ['a use case knows the AI SDK', 'lib/runs/perform-run.ts', `import { generateText } from 'ai';`],
    ['a use case knows Prisma', 'lib/runs/perform-run.ts', `export { Prisma } from '@prisma/client';`],
    [
      'a use case knows the protocol of tools',
      'lib/runs/tools/open-toolbox.ts',
      `import { Client } from '@modelcontextprotocol/client';`,
    ],
    ['a model is traced outside of tracing', 'lib/models/ask-once.ts', `import { trace } from '@opentelemetry/api';`],
    ['a page knows the sign-in library', 'app/page.tsx', `import { betterAuth } from 'better-auth/minimal';`],
    ['a tool asks the database', 'lib/tools/calculator.ts', `import { findRun } from '#lib/db/find-run.ts';`],
    ['an evaluator asks the queue', 'lib/evaluators/llm.ts', `import '#lib/runs/queue.ts';`],
    ['lib asks a page', 'lib/runs/perform-run.ts', `import { Page } from '#app/page.tsx';`],
    ['a file outside all rooms', 'lib/helpers/misc.ts', `import { z } from 'zod';`],
  ])('when %s', (_name, file, source) => {
    expect(readImports(file, source).map(findFault)).toEqual([expect.any(String)]);
  });

  test.each([
    ['a use case reads', 'lib/runs/stop-run.ts', `import { findRun } from '#lib/db/find-run.ts';`],
    ['a neighbour', 'lib/reflection/next-step.ts', `import type { History } from './history.ts';`],
    ['a test of the core uses its tools', 'lib/reflection/next-step.test.ts', `import fc from 'fast-check';`],
    ['a word in a comment', 'lib/reflection/next-step.ts', `// import { x } from '#lib/db/x.ts';`],
  ])('but not when it is %s', (_name, file, source) => {
    expect(
      readImports(file, source)
        .map(findFault)
        .filter((fault) => fault !== null),
    ).toEqual([]);
  });
});
