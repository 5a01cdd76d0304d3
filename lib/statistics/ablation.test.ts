import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExampleScore } from '#lib/core/history.ts';
import { joinComponents } from '#lib/core/targets/component-texts.ts';
import { parametersOf } from '#lib/core/tuning/candidate-parameters.ts';
import { positionsOf } from '#lib/core/tuning/case-scores.ts';
import { tuningSettingsOf } from '#lib/core/tuning/simulated-tunings.test-support.ts';
import { tryOf, tuningCases, tuningHistory } from '#lib/core/tuning-history.test-support.ts';
import {
  type AblationPart,
  ablationHistory,
  ablationParts,
  ablationPositions,
  ablationSettings,
  ablationTries,
  dueAblation,
  linesOfPart,
  withoutParts,
} from './ablation.ts';

const FIRST = 'Sort the mail.\n\n{{input}}';
const CASES = tuningCases({ train: 2, validation: 3 });

function shown(prompt: string, part: AblationPart) {
  const { removed, restored } = linesOfPart(prompt, part);
  return { removed, restored };
}

function partsOf(first: string, prompt: string) {
  const { parts, fixed } = ablationParts(first, prompt, CASES);
  return {
    parts: parts.map((part) => shown(prompt, part)),
    texts: parts.map((part) => withoutParts(prompt, [part])),
    fixed: fixed.map(({ part, problem }) => ({ ...shown(prompt, part), kind: problem.kind })),
  };
}

describe('parts of a changed prompt', () => {
  test('makes each new line a part and leaves the rest unchanged without it', () => {
    const prompt = 'Sort the mail.\nWrite one label and nothing else.\nA refund is a payment.\n\n{{input}}';
    expect(partsOf(FIRST, prompt)).toEqual({
      parts: [
        { removed: ['Write one label and nothing else.'], restored: [] },
        { removed: ['A refund is a payment.'], restored: [] },
      ],
      texts: [
        'Sort the mail.\nA refund is a payment.\n\n{{input}}',
        'Sort the mail.\nWrite one label and nothing else.\n\n{{input}}',
      ],
      fixed: [],
    });
  });

  test('restores the old text of a replaced line and brings back a deleted one', () => {
    const first = 'Sort the mail by topic.\nBe brief and friendly to people.\n{{input}}';
    const prompt = 'Sort the mail by its urgency.\n{{input}}\n';
    expect(partsOf(first, prompt)).toMatchObject({
      parts: [
        {
          removed: ['Sort the mail by its urgency.'],
          restored: ['Sort the mail by topic.', 'Be brief and friendly to people.'],
        },
      ],
      texts: [`${first}\n`],
    });
    expect(partsOf(first, 'Sort the mail by topic.\n{{input}}')).toMatchObject({
      parts: [{ removed: [], restored: ['Be brief and friendly to people.'] }],
      texts: [first],
    });
  });

  test('splits a much longer passage by line, except lines the prompt requires', () => {
    const prompt = [
      'You sort mail for a bank that sells cards.',
      'Answer with one of the labels below.',
      'Payments are about money that moved.',
      'Do not explain your answer to anyone.',
      'The mail: {{input}}',
    ].join('\n');
    const { parts, fixed } = partsOf('Sort this: {{input}}', prompt);
    expect(parts.map(({ removed }) => removed)).toEqual(
      prompt
        .split('\n')
        .slice(0, 4)
        .map((line) => [line]),
    );
    expect(fixed).toEqual([{ removed: ['The mail: {{input}}'], restored: [], kind: 'missing_variable' }]);
  });

  test('joins short lines with the next one, and merges the smallest neighbors above eight parts', () => {
    const rules = Array.from({ length: 20 }, (_, at) => `- Rule ${at} says what to do about topic ${at}.`);
    const prompt = ['Sort the mail.', 'Rules:', ...rules, '', '{{input}}'].join('\n');
    const { parts, texts } = partsOf(FIRST, prompt);
    expect(parts).toHaveLength(8);
    expect(parts.flatMap(({ removed }) => removed)).toEqual(['Rules:', ...rules]);
    expect(parts[0]?.removed.slice(0, 2)).toEqual(['Rules:', rules[0]]);
    expect(new Set(texts).size).toBe(8);
  });

  test('validates a long prompt only a few times per changed line', () => {
    const rules = Array.from({ length: 200 }, (_, at) => `- Rule ${at} says what to do about topic ${at}.`);
    let checks = 0;
    const cases = CASES.slice();
    cases[Symbol.iterator] = () => {
      checks++;
      return CASES[Symbol.iterator]();
    };
    const { parts } = ablationParts(FIRST, ['Sort the mail.', ...rules, '', '{{input}}'].join('\n'), cases);
    expect(parts).toHaveLength(8);
    expect(checks).toBeGreaterThan(rules.length);
    expect(checks).toBeLessThan(5 * rules.length);
  });

  test('keeps role lines of a chat prompt and component lines', () => {
    const chat = '{{role "system"}}\nSort the mail.\n{{role "user"}}\n{{input}}';
    const better = '{{role "system"}}\nSort the mail.\nA refund is a payment.\n{{role "user"}}\n{{input}}';
    expect(partsOf(chat, better).texts).toEqual([chat]);
    const components = (writer: string) =>
      joinComponents(
        new Map([
          ['planner', 'Plan the answer to {{input}}.'],
          ['writer', writer],
        ]),
      );
    const prompt = components('Write it.\nUse short sentences in it.');
    expect(partsOf(components('Write it.'), prompt).texts).toEqual([components('Write it.')]);
  });

  test('ignores trailing whitespace and blank lines', () => {
    expect(partsOf(FIRST, 'Sort the mail.\n\n\n{{input}}').parts).toEqual([]);
  });

  test('removes every added line when all parts are omitted', () => {
    const line = fc.constantFrom(
      'Sort the mail by its topic.',
      'A refund is a payment of money.',
      'Use one label.',
      '',
    );
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (before, after) => {
        const first = ['{{input}}', ...before].join('\n');
        const prompt = ['{{input}}', ...after].join('\n');
        const { parts, fixed } = ablationParts(first, prompt, CASES);
        expect(fixed).toEqual([]);
        const rest = withoutParts(prompt, parts).split('\n');
        const added = parts.flatMap((part) => linesOfPart(prompt, part).removed);
        const isLeft = (line: string) => line !== '' && rest.includes(line) && !first.split('\n').includes(line);
        expect(added.filter(isLeft)).toEqual([]);
        for (const part of parts) {
          const text = withoutParts(prompt, [part]);
          const { removed, restored } = linesOfPart(prompt, part);
          expect(text.split('\n')).toHaveLength(prompt.split('\n').length - removed.length + restored.length);
        }
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});

const SETTINGS = tuningSettingsOf({});

/** Runs an ablation with these scores until no call is due; each of `scores` is one example score, null if unscored. */
function ablated(cases: number, parts: number, maxTries: number, scores: readonly (number | null)[]) {
  const prompts = [{ output: 'first {{input}}' }, { output: 'better {{input}}' }];
  const history = tuningHistory(SETTINGS, { train: 2, validation: cases, held_out: 3 }, prompts);
  const planned = Array.from({ length: parts }, (_, at) => ({
    edits: [{ start: 0, end: 1, restored: [`part ${at}`] }],
  }));
  const positions = ablationPositions(history, SETTINGS, { parts, maxTries });
  let tries: ExampleScore[] = [];
  let steps = 0;
  for (;;) {
    const soFar = ablationHistory(history, { version: 1, parts: planned }, tries);
    const step = dueAblation(soFar, { positions, maxTries });
    if (step === null) return { history, positions, tries, steps };
    steps++;
    const made = step.parts.flatMap(({ version, positions }) => positions.map((position) => ({ version, position })));
    expect(made.length).toBeGreaterThan(0);
    tries = [
      ...tries,
      ...made.map(({ version, position }, at) =>
        tryOf({ tries, step: 0 }, version, position, scores[(tries.length + at) % scores.length] ?? null),
      ),
    ];
  }
}

describe('ablation calls', () => {
  test('cover the whole prompt and the prompt without each part, on every validation case', () => {
    const { tries, positions, history } = ablated(12, 2, 36, [1]);
    expect(positions.toSorted((one, other) => one - other)).toEqual(positionsOf(history, 'validation'));
    const made = new Set(tries.map(({ version, position }) => `${version} ${position}`));
    expect(made.size).toBe(36);
    expect(tries).toHaveLength(36);
  });

  test('cover fewer cases below the limit, and keep those cases when the limit rises', () => {
    const few = ablated(12, 2, 20, [1]);
    expect(few.positions).toHaveLength(6);
    expect(few.tries).toHaveLength(18);
    const more = { parts: 2, maxTries: 30, before: few.positions };
    const positions = ablationPositions(few.history, SETTINGS, more);
    expect(positions).toHaveLength(10);
    expect(positions.slice(0, 6)).toEqual(few.positions);
  });

  test('stay within the limit, repeat no scored one, and use only validation cases', () => {
    const score = fc.option(fc.constantFrom(0, 0.5, 1), { nil: null });
    fc.assert(
      fc.property(
        ...[fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 300 })],
        fc.array(score, { minLength: 1, maxLength: 50 }),
        (cases, parts, maxTries, scores) => {
          const { history, tries } = ablated(cases, parts, maxTries, scores);
          expect(tries.length).toBeLessThanOrEqual(maxTries);
          expect(tries.length).toBeLessThanOrEqual(2 * ablationTries(parts, cases).most);
          const validation = positionsOf(history, 'validation');
          expect(tries.every(({ position }) => validation.includes(position))).toBe(true);
          const scored = tries.filter((one) => one.score !== null).map((one) => `${one.version} ${one.position}`);
          expect(new Set(scored).size).toBe(scored.length);
        },
      ),
      { seed: 11, numRuns: 200 },
    );
  });

  test('have their own limit instead of the limits of the run', () => {
    const settings = tuningSettingsOf({ budget: { maxCalls: 3, maxExperimentCostUsd: 5 }, tune: { maxTries: 4 } });
    const { budget, tune } = ablationSettings(settings);
    expect(budget).toMatchObject({ maxCalls: null, maxExperimentCostUsd: 5 });
    expect(tune.maxTries).toBeNull();
  });
});

test('unchanged prompts use the model and temperature of the whole prompt', () => {
  const given = tuningHistory(tuningSettingsOf(), { train: 2, validation: 3 }, [{ output: FIRST }, { minibatch: [0] }]);
  const history = {
    ...given,
    versions: given.versions.map((version) => ({
      ...version,
      proposal: version.proposal && { ...version.proposal, parameters: { temperature: 0.2 } },
    })),
  };
  const temperatures = (version: number) => {
    const ablation = ablationHistory(
      history,
      { version, parts: [{ edits: [{ start: 0, end: 1, restored: [] }] }] },
      [],
    );
    return ablation.versions.map(({ number }) => parametersOf(ablation, number).temperature ?? null);
  };
  expect([temperatures(0), temperatures(1)]).toEqual([
    [null, null],
    [0.2, 0.2],
  ]);
});
