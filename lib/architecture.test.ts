import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * The folders of `lib`, lowest first. A file imports its own folder and folders above it in this list, so folders never form a
 * cycle. `docs/architecture.md` describes each of them.
 */
const LIB_FOLDERS = [
  'core',
  'system',
  'outgoing',
  'log',
  'formats',
  'calculator',
  'docs',
  'providers',
  'environment.ts',
  'evaluators',
  'tools',
  'statistics',
  'format.ts',
  'database',
  'queue',
  'live',
  'context',
  'input',
  'audit',
  'auth',
  'http',
  'files',
  'settings',
  'models',
  'targets',
  'mcp-servers',
  'webhooks',
  'assignments',
  'lessons',
  'estimates',
  'what-if',
  'datasets',
  'backups',
  'embedded-database',
  'runs',
  'budgets',
  'model-calls',
  'experiments',
  'engine',
  'worker',
  'batches',
  'trials',
  'prompts',
  'compare',
  'insights',
  'blind-review',
  'reports',
  'inbox',
  'notes',
  'views',
  'exchange',
  'promptfoo',
  'team',
  'samples',
  'search',
  'home',
  'gate',
  'mcp',
  'monitoring',
  'api',
  'server',
  'testing',
];

/** Packages that only these folders import at run time. A name that ends in `/` is a scope. */
const RESERVED_PACKAGES: Record<string, readonly string[]> = {
  ai: ['lib/providers'],
  '@ai-sdk/': ['lib/providers'],
  '@pydantic/genai-prices': ['lib/providers'],
  'better-auth': ['lib/auth'],
  pg: ['lib/database', 'lib/embedded-database', 'lib/backups', 'lib/testing'],
  'pg-boss': ['lib/queue'],
  'pg-copy-streams': ['lib/backups'],
  pino: ['lib/log'],
  'prom-client': ['lib/monitoring'],
  '@prisma/': ['lib/database'],
  '@modelcontextprotocol/': ['lib/tools/mcp', 'lib/mcp'],
  '@opentelemetry/': ['lib/providers/tracing'],
  'simple-statistics': ['lib/statistics'],
};
/** The only files with raw SQL, for queries that Prisma cannot express or runs too slowly. A feature keeps its own in `queries.ts`. */
const RAW_SQL_FILES: readonly string[] = [
  'lib/auth/attempt-limits.ts',
  'lib/backups/queries.ts',
  'lib/blind-review/blind-review.ts',
  'lib/budgets/queries.ts',
  'lib/compare/queries.ts',
  'lib/database/apply-migrations.ts',
  'lib/database/connections.ts',
  'lib/database/locks.ts',
  'lib/datasets/queries.ts',
  'lib/embedded-database/create-cluster.ts',
  'lib/experiments/list-experiments.ts',
  'lib/experiments/queries.ts',
  'lib/home/queries.ts',
  'lib/inbox/queries.ts',
  'lib/insights/find-insights-sums.ts',
  'lib/insights/queries.ts',
  'lib/lessons/queries.ts',
  'lib/lessons/recall-queries.ts',
  'lib/lessons/write-queries.ts',
  'lib/models/queries.ts',
  'lib/monitoring/queries.ts',
  'lib/prompts/queries.ts',
  'lib/queue/queries.ts',
  'lib/runs/batches.ts',
  'lib/runs/list-runs.ts',
  'lib/runs/queries.ts',
  'lib/runs/run-measures.ts',
  'lib/runs/worker-queries.ts',
  'lib/settings/purge.ts',
  'lib/settings/unused-prompts.ts',
  'lib/webhooks/queries.ts',
];
/** Pages whose initial client bundle contains Zod. It adds 29 KB, and building the settings schemas delays hydration. */
const SCHEMA_PAGES: readonly string[] = ['app/experiments/[id]/edit/page.tsx', 'app/experiments/new/page.tsx'];

/** Matches a call that sends raw SQL. */
const RAW_SQL = /\.query(<[^(]*>)?\(|\$queryRaw|\$executeRaw/;
/** Matches packages that cannot run in a browser. A client component must not reach them through any import. */
const SERVER_PACKAGE = /^(node:|next\/(headers|server|cache)|pg|pino|@prisma\/|better-auth|ai$|@ai-sdk\/)/;

/** `lazy`: true for a dynamic `import()`. */
type Import = { file: string; target: string; typeOnly: boolean; lazy?: true };

const isTest = (file: string) => /\.test(-support)?\.tsx?$/.test(file) || file.startsWith('lib/testing/');

/** Returns the path of a project file from the root, or null for a package. */
function resolveInside(file: string, target: string): string | null {
  if (target.startsWith('#')) return target.slice(1);
  if (target.startsWith('.')) return path.posix.normalize(path.posix.join(path.posix.dirname(file), target));
  return null;
}

/** Returns static, dynamic and re-exporting imports. Ignores comments. */
function readImports(file: string, source: string): Import[] {
  const code = source.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
  const statements = code.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?['"]([^'"]+)['"]/gm);
  const calls = code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g);
  return [
    ...[...statements].map(([, type, target = '']) => ({ file, target, typeOnly: type !== undefined })),
    ...[...calls].map(([, target = '']) => ({ file, target, typeOnly: false, lazy: true as const })),
  ];
}

/** Returns the modules that two import statements of a file name although one could. A namespace import needs its own. */
function doubledImports(source: string): string[] {
  const head = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/|['"]use \w+['"];|import\b[^;]*;)*/.exec(source)?.[0] ?? '';
  const targets = [...head.matchAll(/^import (?!\* as )[^;]*?from ['"]([^'"]+)['"];/gm)].map(
    ([, target = '']) => target,
  );
  return [...new Set(targets.filter((target, index) => targets.indexOf(target) !== index))];
}

const folderOf = (file: string) => file.split('/')[1] ?? '';

/** Returns the reason that an import is forbidden, or null. */
function importProblem({ file, target, typeOnly }: Import): string | null {
  const inside = resolveInside(file, target);
  return inside === null ? packageProblem(file, target, typeOnly) : fileProblem(file, inside);
}

function packageProblem(file: string, target: string, typeOnly: boolean): string | null {
  if (isTest(file)) return null;
  if (file.startsWith('lib/core/') && target !== 'zod')
    return `${file} imports ${target}, but lib/core imports only zod`;
  const owner = Object.entries(RESERVED_PACKAGES).find(
    ([name]) => target === name || target.startsWith(name.endsWith('/') ? name : `${name}/`),
  );
  if (owner === undefined || typeOnly || owner[1].some((folder) => file.startsWith(`${folder}/`))) return null;
  return `${file} imports ${target}, which only ${owner[1].join(', ')} may import`;
}

function fileProblem(file: string, inside: string): string | null {
  if (file.startsWith('components/ui/') && !isTest(file) && /^(app|lib|components)\//.test(inside))
    return /^(components\/ui\/|lib\/format\.ts$)/.test(inside)
      ? null
      : `${file} imports ${inside}, but components/ui knows no domain`;
  if (inside.startsWith('app/') && !file.startsWith('app/') && !isTest(file))
    return `${file} imports the page file ${inside}`;
  if (!file.startsWith('lib/')) return null;
  if (inside.startsWith('components/') && !isTest(file)) return `${file} imports the component ${inside}`;
  const from = LIB_FOLDERS.indexOf(folderOf(file));
  const to = LIB_FOLDERS.indexOf(folderOf(inside));
  if (from === -1) return `${file} is in a folder that lib/architecture.test.ts does not list`;
  if (isTest(file) || !inside.startsWith('lib/') || to <= from) return null;
  return `${file} imports ${inside}, but lib/${folderOf(file)} is below lib/${folderOf(inside)}`;
}

function readAllImports(): Import[] {
  const files = globSync('{app,components,lib}/**/*.{ts,tsx,mjs}').filter(
    (file) => !file.startsWith('lib/database/generated/') && !/^lib\/[^/]+\.test\.ts$/.test(file),
  );
  return [...files, 'proxy.ts'].flatMap((file) => readImports(file, readFileSync(file, 'utf8')));
}

/** Returns all files that the entries reach through run-time imports. */
function reachedFrom(entries: readonly string[], imports: ReadonlyMap<string, readonly Import[]>): Map<string, string> {
  const reachedBy = new Map(entries.map((file) => [file, file]));
  for (const [file] of reachedBy)
    for (const { target, typeOnly } of imports.get(file) ?? []) {
      const inside = resolveInside(file, target);
      if (inside !== null && !typeOnly && !reachedBy.has(inside)) reachedBy.set(inside, file);
    }
  return reachedBy;
}

/** Returns the cycles as sorted groups of nodes that reach each other. A single node is not a cycle. */
function cyclesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    open.push(node);
    let lowest = index;
    for (const next of edges.get(node) ?? [])
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (open.includes(next)) lowest = Math.min(lowest, order.get(next) ?? index);
    if (lowest === index) {
      const group = open.splice(open.indexOf(node));
      if (group.length > 1) cycles.push(group.toSorted());
    }
    return lowest;
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return cycles;
}

/** Returns the edges between the groups that `nameOf` assigns to both ends of each import in the project. Excludes tests. */
function edgesBetween(imports: readonly Import[], nameOf: (file: string) => string): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    const inside = resolveInside(file, target);
    if (inside === null || isTest(file) || nameOf(file) === nameOf(inside)) continue;
    edges.set(nameOf(file), (edges.get(nameOf(file)) ?? new Set()).add(nameOf(inside)));
  }
  return edges;
}

describe('architecture', () => {
  const imports = readAllImports();
  const byFile = Map.groupBy(imports, ({ file }) => file);

  test('has no cycles between folders', () => {
    const featureOf = (file: string) => file.split('/').slice(0, 2).join('/');
    const features = imports.filter(({ file }) => !file.startsWith('app/'));
    expect(cyclesOf(edgesBetween(features, featureOf))).toEqual([]);
  });

  test('has no run-time import cycles between files and at most two type import cycles', () => {
    const atRunTime = imports.filter(({ typeOnly }) => !typeOnly);
    expect(cyclesOf(edgesBetween(atRunTime, (file) => file))).toEqual([]);
    const all = cyclesOf(edgesBetween(imports, (file) => file));
    expect(all, JSON.stringify(all, null, 1)).toHaveLength(Math.min(all.length, 2));
  });

  test('has no imports against the folder order', () => {
    expect(imports.map(importProblem).filter((problem) => problem !== null)).toEqual([]);
  });

  test('lists no missing folder', () => {
    const folders = new Set([...byFile.keys()].filter((file) => file.startsWith('lib/')).map(folderOf));
    expect(LIB_FOLDERS.filter((folder) => !folders.has(folder))).toEqual([]);
  });

  test('has no file in lib/core outside the reach of the engine', () => {
    const all = globSync('lib/core/**/*.ts').filter((file) => !isTest(file));
    const reached = new Set(['lib/core/engine.ts']);
    for (const file of reached)
      for (const { target } of byFile.get(file) ?? []) reached.add(resolveInside(file, target) ?? target);
    expect(all.filter((file) => !reached.has(file))).toEqual([]);
  });

  test('has raw SQL only in the listed files', () => {
    const isRaw = (file: string) => RAW_SQL.test(readFileSync(file, 'utf8'));
    const files = [...byFile.keys()].filter((file) => !isTest(file) && isRaw(file));
    expect(files.toSorted()).toEqual(RAW_SQL_FILES.toSorted());
  });

  test('has no client component that reaches a server package', () => {
    const isClient = (file: string) => /^['"]use client['"]/.test(readFileSync(file, 'utf8'));
    const entries = [...byFile.keys()].filter(
      (file) => file.startsWith('components/') && !isTest(file) && isClient(file),
    );
    const reached = reachedFrom(entries, byFile);
    const problems = [...reached].flatMap(([file, by]) =>
      /actions\.ts$/.test(file)
        ? []
        : (byFile.get(file) ?? [])
            .filter(({ target, typeOnly }) => !typeOnly && SERVER_PACKAGE.test(target))
            .map(({ target }) => `${file} (imported by ${by}) imports ${target}`),
    );
    expect(problems).toEqual([]);
    expect(reached.size).toBeGreaterThan(300);
  });

  test('keeps schemas and statistics out of the layout, which every page loads', () => {
    const frame = ['providers', 'side-bar', 'page'].map((name) => `components/layout/${name}.tsx`);
    const heavy = [...reachedFrom(frame, byFile).keys()].flatMap((file) =>
      (byFile.get(file) ?? [])
        .filter(({ target, typeOnly }) => !typeOnly && ['zod', 'simple-statistics'].includes(target))
        .map(({ target }) => `${file} imports ${target}`),
    );
    expect(heavy).toEqual([]);
  });

  test('loads neither the sign-in library, the AI SDK nor the MCP client for a start and its first page', () => {
    const atOnce = Map.groupBy(
      imports.filter(({ lazy }) => !lazy),
      ({ file }) => file,
    );
    const entries = ['lib/server/start.ts', 'lib/server/start-worker.ts', 'app/layout.tsx', 'app/page.tsx'];
    const late = [...reachedFrom(entries, atOnce)].flatMap(([file, by]) =>
      (atOnce.get(file) ?? [])
        .filter(
          ({ target, typeOnly }) => !typeOnly && /^(better-auth|ai$|@ai-sdk\/|@modelcontextprotocol\/)/.test(target),
        )
        .map(({ target }) => `${file} (imported by ${by}) imports ${target}`),
    );
    expect(late).toEqual([]);
  });

  test('loads the AI SDK with no page, because only the API and the worker call models', () => {
    const atOnce = Map.groupBy(
      imports.filter(({ lazy }) => !lazy),
      ({ file }) => file,
    );
    const pages = [...byFile.keys()].filter((file) => file.startsWith('app/') && file.endsWith('/page.tsx'));
    const heavy = pages.filter((page) =>
      [...reachedFrom([page], atOnce).keys()].some((file) =>
        atOnce.get(file)?.some(({ target, typeOnly }) => !typeOnly && target === 'ai'),
      ),
    );
    expect(heavy).toEqual([]);
  });

  test('loads Zod in the browser only on the listed pages', () => {
    const directiveOf = (file: string) => /^['"]use (client|server)['"]/.exec(readFileSync(file, 'utf8'))?.[1];
    const atOnce = Map.groupBy(
      imports.filter(({ lazy }) => !lazy),
      ({ file }) => file,
    );
    const importsWithout = (directive: string) =>
      new Map([...atOnce].filter(([file]) => directiveOf(file) !== directive));
    const [onServer, inBrowser] = [importsWithout('client'), importsWithout('server')];
    const loadsSchemas = (page: string) => {
      const entries = [...reachedFrom([page], onServer).keys()].filter((file) => directiveOf(file) === 'client');
      return [...reachedFrom(entries, inBrowser).keys()].some((file) =>
        inBrowser.get(file)?.some(({ target, typeOnly }) => !typeOnly && target === 'zod'),
      );
    };
    const pages = [...byFile.keys()].filter((file) => file.startsWith('app/') && file.endsWith('/page.tsx'));
    expect(pages.filter(loadsSchemas).toSorted()).toEqual(SCHEMA_PAGES);
  });

  test('uses next/link only in the link component, which disables prefetching', () => {
    const direct = imports.filter(({ target }) => target === 'next/link').map(({ file }) => file);
    expect(direct).toEqual(['components/ui/link.tsx']);
  });

  test('imports each module in one statement', () => {
    const files = globSync('{app,components,e2e,examples,lib}/**/*.{ts,tsx,mjs}').filter(
      (file) => !/^lib\/database\/generated\/|\/node_modules\//.test(file),
    );
    const doubled = files.flatMap((file) =>
      doubledImports(readFileSync(file, 'utf8')).map((target) => `${file} imports ${target} twice`),
    );
    expect(doubled).toEqual([]);
  });

  test('uses full file names with extensions in imports', () => {
    const problems = imports.filter(
      ({ file, target }) =>
        resolveInside(file, target) !== null && !/\.(ts|tsx|mjs|css|svg|png|webp|json)$/.test(target),
    );
    expect(problems).toEqual([]);
  });

  // TypeScript accepts any path that ends in .png or .webp as an image, but the build fails.
  test('uses only the import prefixes declared in package.json', () => {
    const declared = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).imports);
    const folders = declared.map((name) => name.replace('*', ''));
    const unknown = imports.filter(
      ({ target }) => target.startsWith('#') && !folders.some((folder) => target.startsWith(folder)),
    );
    expect(unknown).toEqual([]);
  });
});

test('cyclesOf finds a cycle of several nodes and ignores single nodes', () => {
  const edges = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c', 'd'])],
    ['c', new Set(['a'])],
    ['d', new Set(['d'])],
  ]);
  expect(cyclesOf(edges)).toEqual([['a', 'b', 'c']]);
});

test.each([
  ["import type { A } from './a.ts';\nimport { b } from './a.ts';\n", ['./a.ts']],
  [
    "'use client';\n\n// Why.\nimport {\n  a,\n} from './a.ts';\nimport { c } from './c.ts';\nimport x from './a.ts';\n",
    ['./a.ts'],
  ],
  ["import { type A, b } from './a.ts';\nimport { c } from './c.ts';\n", []],
  ["import * as a from './a.ts';\nimport { b } from './a.ts';\n", []],
  ["import './a.ts';\nexport { b } from './a.ts';\n", []],
  ["import { a } from './a.ts';\nconst program = `\nimport { b } from './a.ts';\n`;\n", []],
])('doubledImports: %j imports %j twice', (source, modules) => {
  expect(doubledImports(source)).toEqual(modules);
});

describe('importProblem', () => {
  test.each([
    ['the core reads the database', 'lib/core/next-step.ts', `import { listRuns } from '#lib/runs/list-runs.ts';`],
    [
      'the core reads it by a relative path',
      'lib/core/next-step.ts',
      `import { listRuns } from '../runs/list-runs.ts';`,
    ],
    ['the core reads files', 'lib/core/next-step.ts', `import fs from 'node:fs';`],
    [
      'a lower feature imports a higher one',
      'lib/runs/stop-run.ts',
      `import { createPrompt } from '#lib/prompts/prompt-library.ts';`,
    ],
    ['a feature imports the AI SDK', 'lib/worker/perform-run.ts', `import { generateText } from 'ai';`],
    ['a feature imports Prisma', 'lib/runs/find-run.ts', `export { Prisma } from '@prisma/client';`],
    [
      'a feature imports the tool protocol',
      'lib/tools/make-toolbox.ts',
      `import { Client } from '@modelcontextprotocol/client';`,
    ],
    [
      'a model call is traced outside of tracing',
      'lib/providers/call/request-once.ts',
      `import { trace } from '@opentelemetry/api';`,
    ],
    ['a page imports the sign-in library', 'app/page.tsx', `import { betterAuth } from 'better-auth/minimal';`],
    ['an evaluator imports the queue', 'lib/evaluators/llm.ts', `import '#lib/queue/queue.ts';`],
    ['lib imports a page', 'lib/worker/perform-run.ts', `import { Page } from '#app/page.tsx';`],
    ['lib imports a component', 'lib/reports/export-report.ts', `import { Button } from '#components/ui/button.tsx';`],
    ['a primitive imports a feature', 'components/ui/button.tsx', `import { Run } from '#lib/core/history.ts';`],
    ['a folder is not listed', 'lib/helpers/misc.ts', `import { z } from '../core/settings.ts';`],
  ])('rejects an import if %s', (_name, file, source) => {
    expect(readImports(file, source).map(importProblem)).toEqual([expect.any(String)]);
  });

  test.each([
    ['a feature imports a lower one', 'lib/batches/start-batch.ts', `import { findRun } from '#lib/runs/find-run.ts';`],
    ['a file imports its neighbour', 'lib/core/next-step.ts', `import type { History } from './history.ts';`],
    ['a test of the core uses a test library', 'lib/core/next-step.test.ts', `import fc from 'fast-check';`],
    ['an import is in a comment', 'lib/core/next-step.ts', `// import { x } from '#lib/runs/x.ts';`],
  ])('allows an import if %s', (_name, file, source) => {
    expect(
      readImports(file, source)
        .map(importProblem)
        .filter((problem) => problem !== null),
    ).toEqual([]);
  });
});
