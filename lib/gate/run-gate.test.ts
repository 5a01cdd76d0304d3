import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { writeArmName } from '#lib/compare/arm-name.ts';
import { compareExperiments } from '#lib/compare/compare-experiments.ts';
import { insertArm, type TestRun } from '#lib/compare/insert-arm.test-support.ts';
import { armNamesSchema } from '#lib/compare/schema.ts';
import { COMPARED_METRICS } from '#lib/statistics/paired-verdict.ts';
import { testContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { readGateOptions, runGate } from './run-gate.ts';

const db = useTestDatabase();

const TOKEN = 'hone_the_token_of_ci';
let isTeam = false;

/** Fake API that returns comparisons from the test database; in team mode only with the token. */
const server = createServer(async (request, response) => {
  if (isTeam && request.headers.authorization !== `Bearer ${TOKEN}`) {
    response.statusCode = 401;
    response.end(JSON.stringify({ error: { code: 'unauthorized', message: 'Sign in first.' } }));
    return;
  }
  const { searchParams } = new URL(request.url ?? '', 'http://localhost');
  const compared = await compareExperiments(testContext(db.database()), {
    arms: armNamesSchema.parse(searchParams.get('experimentIds')),
    baseline: null,
    metric: COMPARED_METRICS.find((metric) => metric === searchParams.get('metric')) ?? null,
    show: null,
    offset: 0,
    limit: 1,
  });
  response.statusCode = compared.ok ? 200 : 404;
  response.end(JSON.stringify(compared.ok ? compared.value : { error: compared.problem }));
});
let address = '';
beforeAll(
  () =>
    new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const at = server.address();
        address = `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`;
        resolve();
      });
    }),
);
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

/** Returns 30 runs that cycle through these best scores. */
function runsScoring(...scores: (number | null)[]): TestRun[] {
  return Array.from({ length: 30 }, (_, at) => ({ input: `task ${at}`, scores: [scores[at % scores.length] ?? null] }));
}

const ONE_FAILED = [null, ...Array.from({ length: 29 }, () => 0.5)];

async function armWith(runs: TestRun[]): Promise<string> {
  return writeArmName(await insertArm(db.database(), { runs }));
}

function gate(experiment: string, baseline: string, ...more: string[]) {
  return runGate(['--experiment', experiment, '--baseline', baseline, '--address', `${address}/`, ...more], {});
}

describe('runGate', () => {
  test.each([
    ['worse on every case', [0.5, 0.6], [0.7, 0.8], [], 1, 'REGRESSION'],
    ['better on every case', [0.7, 0.8], [0.5, 0.6], [], 0, 'Better than the baseline'],
    ['the same', [0.5, 0.6], [0.5, 0.6], [], 0, 'No loss beyond noise'],
    ['worse and better alternately', [0.5, 0.7], [0.6, 0.6], [], 0, 'No loss beyond noise'],
    ['worse by less than the margin', [0.5, 0.6], [0.53, 0.62], ['--margin', '0.05'], 0, 'within the margin'],
    ['worse by more than the margin', [0.5, 0.6], [0.6, 0.7], ['--margin', '0.05'], 1, 'more than the margin of 0.05'],
    [
      'worse in score with as many cases solved',
      [0.5, 0.6],
      [0.7, 0.8],
      ['--metric', 'solved'],
      0,
      'No loss beyond noise',
    ],
    ['no longer solved', [0, 0], [1, 1], [], 1, 'McNemar'],
    ['run on fewer cases than required', [0.5], [0.9], ['--least-cases', '31'], 2, 'at least 31'],
    [
      'often without a score',
      [0.5, null],
      [0.5, 0.5],
      ['--least-cases', '15'],
      2,
      '15 of 30 runs of the experiment and 0 of 30 of the baseline have no score',
    ],
    [
      'rarely without a score',
      ONE_FAILED,
      [0.5],
      [],
      0,
      '1 of 30 runs of the experiment and 0 of 30 of the baseline have no score',
    ],
    ['often without a score, as its baseline', [null, 0.5], [null, 0.5], ['--least-cases', '15'], 0, 'No loss'],
    ['never scored', [null], [0.9], ['--metric', 'score'], 2, 'UNCLEAR'],
  ] as const)('on an experiment that is %s', async (_name, experiment, baseline, options, exitCode, words) => {
    const report = await gate(
      await armWith(runsScoring(...experiment)),
      await armWith(runsScoring(...baseline)),
      ...options,
    );
    expect(report).toEqual({ exitCode, text: expect.stringContaining(words) });
  });

  test('prints no name at the start of a line, where it could be a command to GitHub Actions', async () => {
    const named = await insertArm(db.database(), { name: '::warning::x', runs: runsScoring(0.5) });
    const { text } = await gate(writeArmName(named), await armWith(runsScoring(0.5)));
    expect(text).toContain('::warning::x v1');
    expect(text).not.toMatch(/^\s*(?:::|##\[)/m);
  });

  test('compares the shares of runs without a score if one side has more runs', async () => {
    const twice = (runs: TestRun[]) => runs.flatMap((run) => [run, run]);
    const whole = runsScoring(0.5);
    const rare = runsScoring(0.5, null, 0.5);
    const [once, often, all, none] = await Promise.all([
      armWith(rare),
      armWith(twice(rare)),
      armWith(twice(runsScoring(0.5, null))),
      armWith(whole),
    ]);
    const least = ['--least-cases', '10'];
    expect(await gate(often, once, ...least)).toMatchObject({ exitCode: 0 });
    expect(await gate(all, none, ...least)).toEqual({
      exitCode: 2,
      text: expect.stringContaining('30 of 60 runs of the experiment and 0 of 30 of the baseline have no score'),
    });
  });

  test('is inconclusive if runs are in progress, an experiment is gone or the server is unreachable', async () => {
    const whole = await armWith(runsScoring(0.5));
    const running = await armWith([...runsScoring(0.1), { input: 'late', scores: [], status: 'running' }]);
    expect(await gate(running, whole)).toEqual({
      exitCode: 2,
      text: expect.stringContaining('1 run still in progress'),
    });
    const missingId = '00000000-0000-4000-8000-000000000000';
    expect(await gate(missingId, whole)).toEqual({
      exitCode: 2,
      text: expect.stringContaining('may have been deleted'),
    });
    const nowhere = await gate(whole, running, '--address', 'http://127.0.0.1:9');
    expect(nowhere).toEqual({ exitCode: 2, text: expect.stringContaining('did not respond at http://127.0.0.1:9') });
    expect(nowhere.text).not.toContain('/compare?of=');
  });

  test('uses the token of HONE_API_TOKEN in team mode, and reports a missing or wrong one', async () => {
    const [better, worse] = [await armWith(runsScoring(0.8)), await armWith(runsScoring(0.4))];
    const args = ['--experiment', worse, '--baseline', better, '--address', address];
    isTeam = true;
    try {
      const missing = await runGate(args, {});
      expect(missing).toEqual({ exitCode: 2, text: expect.stringContaining('Set HONE_API_TOKEN to a token') });
      const wrong = await runGate(args, { HONE_API_TOKEN: 'hone_another' });
      expect(wrong).toEqual({ exitCode: 2, text: expect.stringContaining('was refused') });
      expect(wrong.text).not.toContain('hone_another');
      expect(await runGate(args, { HONE_API_TOKEN: ` ${TOKEN} ` })).toMatchObject({ exitCode: 1 });
    } finally {
      isTeam = false;
    }
  });

  test('as a process exits with the code of its result and prints JSON', async () => {
    const [worse, better] = [await armWith(runsScoring(0.4)), await armWith(runsScoring(0.8))];
    const args = ['--experiment', worse, '--baseline', better, '--json'];
    const [found, misused] = await Promise.all([asProcess(args), asProcess(['--experiment', 'katas'])]);
    expect(found.exitCode).toBe(1);
    expect(JSON.parse(found.text)).toMatchObject({
      outcome: 'regression',
      exitCode: 1,
      metric: 'score',
      practice: true,
      experiment: { arm: worse },
      baseline: { arm: better },
      result: { verdict: 'worse', difference: expect.closeTo(-0.4), n: 30 },
      page: `${address}/compare?of=${better},${worse}`,
    });
    expect(misused).toEqual({ exitCode: 2, text: expect.stringContaining('--experiment is "katas"') });
  });
});

function asProcess(args: string[]): Promise<{ exitCode: number; text: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['lib/server/start.mjs', 'gate', ...args],
      { env: { ...process.env, APP_URL: address } },
      (_error, stdout) => resolve({ exitCode: z.int().parse(child.exitCode), text: stdout }),
    );
  });
}

describe('readGateOptions', () => {
  const ID = '0b7e0f8a-1c2d-4e3f-8a9b-0c1d2e3f4a5b';
  const arms = ['--experiment', `${ID}@2`, '--baseline', ID];

  test.each([
    ['by default', {}, 'http://127.0.0.1:3000'],
    ['from PORT', { PORT: '3100' }, 'http://127.0.0.1:3100'],
    ['by default if the variables are empty', { PORT: '', APP_URL: '' }, 'http://127.0.0.1:3000'],
    ['from APP_URL', { PORT: '3100', APP_URL: 'https://hone.example/' }, 'https://hone.example'],
  ])('resolves the address %s', (_name, env, expected) => {
    expect(readGateOptions(arms, env)).toMatchObject({
      value: {
        address: expected,
        margin: 0,
        leastCases: 20,
        metric: null,
        experiment: { experimentId: ID, version: 2 },
      },
    });
  });

  test.each([
    ['no baseline', ['--experiment', ID], '--baseline is missing'],
    ['the same experiment twice', ['--experiment', ID, '--baseline', ID], 'are the same'],
    ['a margin of 1', [...arms, '--margin', '1'], '--margin is "1"'],
    ['a negative margin', [...arms, '--margin=-0.1'], '--margin is "-0.1"'],
    ['five cases', [...arms, '--least-cases', '5'], '--least-cases is "5"'],
    ['an unknown metric', [...arms, '--metric', 'cost'], '--metric is "cost"'],
    ['a server URL without http', [...arms, '--address', 'localhost:3000'], '--address is'],
    ['an unknown option', [...arms, '--strict'], '--strict'],
  ])('refuses %s', (_name, args, words) => {
    expect(readGateOptions(args, {})).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining(words) },
    });
  });

  test('names the variable of an address that is not one', () => {
    expect(readGateOptions(arms, { APP_URL: 'hone.example' })).toMatchObject({
      problem: { message: expect.stringMatching(/^APP_URL is "hone.example"/) },
    });
  });

  test('shows help', async () => {
    expect(await runGate(['--help'], {})).toEqual({
      exitCode: 0,
      text: expect.stringContaining('Usage: npm run gate'),
    });
  });
});
