import fc from 'fast-check';
import { expect, test } from 'vitest';
import { whatIf } from '#lib/what-if/what-if.ts';
import { type AgentLoop, type AgentScript, agentLoop, type ScriptedResponse } from './agent-loop.test-support.ts';
import type { History } from './history.ts';
import { settingsOf } from './history-of.test-support.ts';
import type { ExperimentSettings } from './settings.ts';
import { spendOfRun, spendOnVersion } from './spend.ts';
import { seededNumber } from './text-values.ts';

type Luck = { seed: number; failing: number; wordy: number; resumes: number };

const names = (...given: string[]): string[] => given;

const settingsArbitrary: fc.Arbitrary<ExperimentSettings> = fc
  .record({
    mode: fc.constantFrom('revise' as const, 'retry' as const),
    base: fc.oneof(
      fc.record({
        type: fc.constant('react' as const),
        tools: fc.constant(names('search', 'danger')),
        approve: fc.constantFrom(names(), names('danger')),
        maxSteps: fc.integer({ min: 1, max: 6 }),
        stallAfter: fc.integer({ min: 2, max: 3 }),
      }),
      fc.record({
        type: fc.constant('supervisor' as const),
        workers: fc.constant<{ name: string; tools?: string[]; maxSteps?: number }[]>([
          { name: 'reader', tools: names('search', 'danger'), maxSteps: 3 },
          { name: 'solver' },
        ]),
        tools: fc.constant(names('lookup')),
        approve: fc.constantFrom(names(), names('danger')),
        maxSteps: fc.integer({ min: 1, max: 4 }),
      }),
    ),
    cap: fc.integer({ min: 1, max: 3 }),
    triggers: fc.record({
      stepInterval: fc.constantFrom(null, 1, 2),
      onTools: fc.constantFrom(names(), names('search')),
      onError: fc.boolean(),
    }),
    pause: fc.constantFrom('never' as const, 'never' as const, 'always' as const),
    maxCostUsd: fc.constantFrom(null, null, 0.2, 0.5),
    write: fc.constantFrom('learn' as const, 'off' as const),
  })
  .map(({ mode, base, cap, triggers, pause, maxCostUsd, write }) =>
    settingsOf({
      ...{
        mode,
        triggers,
        maxIterations: cap,
        maxAttempts: cap,
        callbacks: { pause },
        budget: { maxCostUsd },
        lessons: { write },
      },
      generator: { provider: 'practice', model: 'practice-1', base },
    }),
  );

const luckArbitrary: fc.Arbitrary<Luck> = fc.record({
  seed: fc.integer({ min: 0, max: 1_000_000 }),
  failing: fc.constantFrom(0, 0.1),
  wordy: fc.constantFrom(0.2, 0.6),
  resumes: fc.integer({ min: 0, max: 2 }),
});

const USES: [string, string][] = [
  ['search', '{"q":"x"}'],
  ['danger', '{"q":"y"}'],
  ['delegate', '{"worker":"reader","task":"read"}'],
  ['delegate', '{"worker":"solver","task":"solve"}'],
  ['delegate', '{"worker":"nobody","task":"read"}'],
  ['nothing', '{}'],
  ['search', 'no JSON'],
];

/** A random model, tools and reviewers, deterministic per seed and position. */
function byChance({ seed, failing, wordy, resumes }: Luck): AgentScript {
  const chance = (...keys: (string | number)[]) => seededNumber(`${seed} ${keys.join(' ')}`);
  return {
    says: ({ role, ordinal, conversation }, step): ScriptedResponse => {
      const at = [role, step, ordinal];
      if (chance('fails', ...at) < failing) return { fails: chance('kind', ...at) < 0.5 ? 'refused' : 'unavailable' };
      if (role !== 'turn') return `${role} ${step}`;
      if (chance('answers', ...at) < wordy)
        return chance('empty', ...at) < 0.2 ? '' : `answer ${conversation?.messages.length}`;
      const count = 1 + Math.floor(3 * chance('count', ...at));
      // Some models use only one tool.
      const known = USES.slice(0, 1 + (seed % USES.length));
      const use = Array.from(
        { length: known.length === 1 ? 1 : count },
        (_, index): [string, string] =>
          known[Math.floor(known.length * chance('use', index, ...at))] ?? ['search', '{}'],
      );
      return { thought: `thought ${step}`, use };
    },
    uses: ({ id, arguments: given }) => ({
      text: `${id} of ${given}`,
      status: chance('tool', id) < 0.2 ? 'failed' : 'ok',
    }),
    score: (_output, version) => Math.round(20 * chance('score', version)) / 20,
    decides: ({ step, pause }) => {
      const roll = chance('decides', step);
      if (pause?.toolCall) return { decision: roll < 0.6 ? 'allow' : roll < 0.9 ? 'refuse' : 'stop' };
      return { decision: roll < 0.8 ? 'auto' : 'stop' };
    },
    resumes,
  };
}

async function forEveryLoop(
  check: (loop: AgentLoop, settings: ExperimentSettings, luck: Luck) => void | Promise<void>,
  parameters: { numRuns: number; seed?: number } = { numRuns: 80 },
) {
  await fc.assert(
    fc.asyncProperty(settingsArbitrary, luckArbitrary, async (settings, luck) =>
      check(await agentLoop(settings, byChance(luck)), settings, luck),
    ),
    parameters,
  );
}

function kept(history: History): History {
  return JSON.parse(JSON.stringify(history));
}

test('every agent loop ends, and all kinds of ending occur', async () => {
  const seen = new Set<string>();
  const cuts = new Set<string>();
  const used = new Set<string>();
  await forEveryLoop(
    ({ ending, history }) => {
      seen.add(ending.reason);
      for (const { finishReason } of history.versions) cuts.add(finishReason);
      for (const { trigger } of history.critiques) used.add(trigger);
      for (const { status } of history.observations) used.add(status);
    },
    { numRuns: 300, seed: 7 },
  );
  expect([...seen]).toEqual(
    expect.arrayContaining(['cut_off', 'quality_met', 'user_stopped', 'model_failed', 'max_iterations', 'cost_budget']),
  );
  expect([...cuts].sort()).toEqual(['budget', 'no_answer', 'stalled', 'stop', 'turn_limit']);
  expect([...used]).toEqual(
    expect.arrayContaining([
      'step_interval',
      'tool_result',
      'error',
      'completion',
      'refused',
      'failed',
      'unknown_tool',
      'malformed',
    ]),
  );
});

test('a loop resumed after any step gives the same result', async () => {
  await forEveryLoop(
    async (whole, settings, luck) => {
      for (const state of whole.states) {
        const rest = await agentLoop(settings, byChance(luck), kept(state));
        expect(rest.ending).toEqual(whole.ending);
        expect(rest.history).toEqual(whole.history);
      }
    },
    { numRuns: 30 },
  );
});

test('counts each cost once in records, versions and budgets, at every step', async () => {
  await forEveryLoop(({ history, states, asked }) => {
    const costs = [...history.turns, ...history.critiques, ...history.lessons, history.lostSpend];
    const made = history.versions.filter(({ number }) => history.turns.every(({ version }) => version !== number));
    const sum = [...costs, ...made].reduce((total, { tokenUsage }) => total + tokenUsage.total, 0);
    expect(spendOfRun(history).tokenUsage.total).toBe(sum);
    expect(history.calls).toBe(asked.length);
    let before = 0;
    for (const state of states) {
      const now = spendOfRun(state).tokenUsage.total;
      expect(now).toBeGreaterThanOrEqual(before);
      before = now;
    }
    for (const { number } of history.versions.filter((version) => !made.includes(version))) {
      const turns = history.turns.filter(({ version }) => version === number);
      expect(spendOnVersion(history, number).tokenUsage.total).toBeGreaterThanOrEqual(
        turns.reduce((total, { tokenUsage }) => total + tokenUsage.total, 0),
      );
    }
  });
});

test('evaluates and learns from no interrupted version, and each call has at most one observation', async () => {
  await forEveryLoop(({ history }) => {
    for (const { number, interrupted } of history.versions) {
      if (!interrupted) continue;
      expect(history.evaluations.some(({ version }) => version === number)).toBe(false);
      expect(history.lessons.some(({ version }) => version === number)).toBe(false);
    }
    const ids = history.observations.map(({ version, callId }) => `${version} ${callId}`);
    expect(new Set(ids).size).toBe(ids.length);
    const turns = history.turns.map(({ version, delegation, number }) => `${version} ${delegation} ${number}`);
    expect(new Set(turns).size).toBe(turns.length);
  });
});

test('a replay under the same settings gives the same ending', async () => {
  await forEveryLoop(
    ({ history, ending }, settings) => {
      const { end } = whatIf(history, settings, settings, ending.endedAt);
      expect(end).toMatchObject({ type: 'stops', reason: ending.reason, finalVersion: ending.finalVersion });
    },
    { numRuns: 80 },
  );
});

test('counts every tool call of a model and reports the omitted calls', async () => {
  const turns = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(settingsArbitrary, turns, fc.integer({ min: 0, max: 9 }), async (given, counts, seed) => {
      const wanted = new Map<number, number>();
      const script: AgentScript = {
        says: ({ role, ordinal }, step) => {
          if (role !== 'turn') return 'text';
          const count = counts[(step + seed) % counts.length] ?? 1;
          if (ordinal === 0) wanted.set(step, count);
          return { use: Array.from({ length: count }, (_, index) => ['search', `{"q":"${step} ${index}"}`]) };
        },
        score: () => 0.5,
        decides: ({ pause }) => ({ decision: pause?.toolCall ? 'allow' : 'auto' }),
      };
      const { history, asked } = await agentLoop(given, script);
      for (const { step, calls, callsLeftOut } of history.turns)
        expect([calls.length <= 16, calls.length + callsLeftOut]).toEqual([true, wanted.get(step)]);
      for (const { conversation } of asked) {
        const messages = conversation?.messages ?? [];
        messages.forEach((message, index) => {
          if (message.role !== 'assistant') return;
          const ofStep = Number(/\d+/.exec(message.calls[0]?.arguments ?? '')?.[0]);
          const after = messages[index + 2];
          const announced = after?.role === 'user' ? /^(\d+) more uses? of/.exec(after.text)?.[1] : undefined;
          expect(Number(announced ?? 0)).toBe(Math.max(0, (wanted.get(ofStep) ?? 0) - 16));
        });
      }
    }),
    { numRuns: 60 },
  );
});

test('completes and resumes with any model output and tool result', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      'delegate',
      'search',
      '__proto__',
      '{"worker":"reader","task":{}}',
      '[]',
      'null',
      '{"__proto__":1}',
    ),
  );
  const responses = fc.oneof(
    hostile,
    fc.record({ thought: hostile, use: fc.array(fc.tuple(hostile, hostile), { minLength: 1, maxLength: 20 }) }),
  );
  await fc.assert(
    fc.asyncProperty(
      settingsArbitrary,
      fc.array(responses, { minLength: 1, maxLength: 6 }),
      hostile,
      async (given, all, text) => {
        const script: AgentScript = {
          says: ({ role, ordinal }, step) => (role === 'turn' ? (all[(step + ordinal) % all.length] ?? '') : 'text'),
          uses: () => ({ text }),
          score: () => 0.5,
          decides: ({ pause }) => ({ decision: pause?.toolCall ? 'allow' : 'auto' }),
        };
        const whole = await agentLoop(given, script);
        const texts = JSON.stringify([whole.history.turns, whole.history.observations]);
        expect(texts).not.toMatch(/\\u0000|\\ud[89a-f]/);
        for (const { conversation } of whole.asked)
          for (const message of conversation?.messages ?? [])
            if (message.role === 'assistant')
              for (const { id } of message.calls) expect(id).toMatch(/^\d+\.\d+(\/\d+\.\d+)?$/);
        const middle = whole.states[Math.floor(whole.states.length / 2)] ?? whole.history;
        expect((await agentLoop(given, script, kept(middle))).history).toEqual(whole.history);
      },
    ),
    { numRuns: 30 },
  );
});
