import { describe, expect, test } from 'vitest';
import { parseInput } from '#lib/input/parse-input.ts';
import { testContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { experimentInputSchema, readSettings } from './read-settings.ts';

const withBase = (base: unknown, more: object = {}) => ({
  name: 'Agent',
  mode: 'retry',
  generator: { provider: 'practice', model: 'practice-1', base },
  criteria: [{ name: 'clarity', evaluator: 'llm' }],
  ...more,
});
const supervisor = (...workers: object[]) => ({ type: 'supervisor', workers });

describe('refuses an invalid base and names the field', () => {
  test.each<{ name: string; base: unknown; more?: object; field: string; says: string }>([
    { name: 'not an object', base: 'react', field: '', says: 'must be an object, got "react"' },
    { name: 'no type', base: {}, field: 'type', says: 'must be one of single, react, supervisor, got nothing' },
    {
      name: 'tools of a single call',
      base: { type: 'single', tools: [] },
      field: 'tools',
      says: 'is not a known setting',
    },
    { name: 'no turns', base: { type: 'react', maxSteps: 0 }, field: 'maxSteps', says: 'from 1 to 200, got 0' },
    {
      name: 'too many turns',
      base: { type: 'react', maxSteps: 201 },
      field: 'maxSteps',
      says: 'from 1 to 200, got 201',
    },
    {
      name: 'stalled after zero turns',
      base: { type: 'react', stallAfter: 1 },
      field: 'stallAfter',
      says: 'from 2 to 20, got 1',
    },
    {
      name: 'a blank tool name',
      base: { type: 'react', tools: ['a b'] },
      field: 'tools.0',
      says: 'the name of a tool',
    },
    {
      name: 'delegate',
      base: { type: 'react', tools: ['delegate'] },
      field: 'tools.0',
      says: 'every supervisor already has',
    },
    { name: 'a duplicate tool', base: { type: 'react', tools: ['a', 'a'] }, field: 'tools', says: 'name a tool twice' },
    {
      name: 'approval of an unknown tool',
      base: { type: 'react', tools: ['calculator'], approve: ['javascript'] },
      field: 'approve.0',
      says: 'must be one of the tools, got javascript',
    },
    {
      name: 'http_get without a host',
      base: { type: 'react', tools: ['http_get'] },
      field: 'httpHosts',
      says: 'must name at least one host',
    },
    {
      name: 'a URL instead of a host',
      base: { type: 'react', tools: ['http_get'], httpHosts: ['https://example.org/'] },
      field: 'httpHosts.0',
      says: 'must be a host such as example.org',
    },
    { name: 'no workers', base: supervisor(), field: 'workers', says: 'must contain at least one worker' },
    {
      name: 'too many workers',
      base: supervisor(...Array.from({ length: 13 }, (_, index) => ({ name: `w${index}` }))),
      field: 'workers',
      says: 'must contain at most 12 workers',
    },
    {
      name: 'two workers with the same name',
      base: supervisor({ name: 'a' }, { name: 'a' }),
      field: 'workers',
      says: 'two workers with the same name',
    },
    {
      name: 'a worker named main',
      base: supervisor({ name: 'main' }),
      field: 'workers.0.name',
      says: 'is the supervisor',
    },
    {
      name: 'a model without its provider',
      base: supervisor({ name: 'a' }, { name: 'b', model: 'small' }),
      field: 'workers.1.model',
      says: 'set together with provider',
    },
    {
      name: 'a supervisor in tune mode',
      base: supervisor({ name: 'a' }, { name: 'b' }),
      more: { mode: 'tune' },
      field: '',
      says: 'must be single or react',
    },
    {
      name: 'an approval in tune mode',
      base: { type: 'react', tools: ['calculator'], approve: ['calculator'] },
      more: { mode: 'tune' },
      field: 'approve',
      says: 'must be empty in tune mode',
    },
  ])('$name', ({ base, more, field, says }) => {
    const parsed = parseInput(experimentInputSchema, withBase(base, more));
    const path = field === '' ? 'generator.base' : `generator.base.${field}`;
    expect(parsed).toMatchObject({ ok: false, problem: { code: 'invalid', field: path } });
    expect(parsed.ok ? '' : parsed.problem.message).toContain(says);
  });

  test.each([
    { name: 'of an unknown tool', onTools: ['javascript'], says: "must be one of the agent's tools" },
    {
      name: 'of a single call',
      base: { type: 'single' },
      onTools: ['calculator'],
      says: 'a single call uses no tools',
    },
  ])(
    'refuses reflection after tool results $name',
    ({ base = { type: 'react', tools: ['calculator'] }, onTools, says }) => {
      const parsed = parseInput(experimentInputSchema, withBase(base, { triggers: { onTools } }));
      expect(parsed).toMatchObject({ ok: false, problem: { field: 'triggers.onTools.0' } });
      expect(parsed.ok ? '' : parsed.problem.message).toContain(says);
    },
  );
});

describe('any wrong type is reported in plain words with its field', () => {
  const worker = { name: 'a', description: '', instructions: '', tools: ['javascript'], maxSteps: 6 };
  const whole = { type: 'supervisor', workers: [worker], tools: ['http_get'], approve: ['http_get'], maxSteps: 3 };
  const hosts = { httpHosts: ['example.org'], stallAfter: 3 };
  const fields = ['type', 'workers', 'tools', 'approve', 'maxSteps', 'httpHosts', 'stallAfter'];
  const ofWorker = [...Object.keys(worker), 'provider', 'model'];

  test.each([...fields, ...ofWorker.map((field) => `workers.0.${field}`)])('%s', (path) => {
    const key = path.replace('workers.0.', '');
    let refused = 0;
    for (const value of [null, 'x!', -0.5, 1e15, true, [[]], { x: 1 }]) {
      const changed = { [key]: value };
      const base =
        key === path
          ? { ...whole, ...hosts, ...changed }
          : { ...whole, ...hosts, workers: [{ ...worker, ...changed }] };
      const parsed = parseInput(experimentInputSchema, withBase(base));
      if (parsed.ok) continue;
      refused++;
      expect(parsed.problem.field).toMatch(
        new RegExp(`^generator\\.base\\.(${path.replaceAll('.', '\\.')}|workers\\.0\\.model)`),
      );
      expect(parsed.problem.message).not.toMatch(/Invalid|expected|received|undefined|NaN|\[object/);
    }
    expect(refused).toBeGreaterThan(2);
  });
});

describe('references of a base must exist', () => {
  const { database } = useTestDatabase();

  test.each([
    {
      name: 'the provider of a worker',
      base: supervisor({ name: 'a' }, { name: 'b', provider: 'nowhere', model: 'm' }),
      field: 'generator.base.workers.1.provider',
      says: 'there is no provider named "nowhere"',
    },
    {
      name: 'a tool of a worker',
      base: supervisor({ name: 'a', tools: ['calculator', 'wiki__search'] }),
      field: 'generator.base.workers.0.tools.1',
      says: 'there is no tool named "wiki__search"',
    },
  ])('$name', async ({ base, field, says }) => {
    const read = await readSettings(testContext(database()), withBase(base));
    expect(read).toMatchObject({ ok: false, problem: { code: 'invalid', field } });
    expect(read.ok ? '' : read.problem.message).toContain(says);
  });
});
