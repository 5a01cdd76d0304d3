import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateNextStep, findExceededBudgets } from '../estimate-next-step.ts';
import type { History } from '../history.ts';
import type { ModelOutcome, ModelRequest } from '../model-request.ts';
import { CALLS_PER_PROPOSAL, partOrdinal } from '../reused-responses.ts';
import { noAnswer, replied, scripted } from '../scripted-step.test-support.ts';
import type { ExperimentSettingsInput } from '../settings.ts';
import { tuningHistory } from '../tuning-history.test-support.ts';
import { caseGroups, MAX_CASES_LENGTH_PER_REQUEST, MAX_CASES_PER_REQUEST, triedCases } from './case-groups.ts';
import { performProposals } from './perform-proposal.ts';
import { caseLine } from './proposal-prompt.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

const settings = tuningSettingsOf();

/** A run whose first prompt was scored on that many training cases, with inputs of this length. */
function tried(cases: number, length = 10): History {
  const scores = Object.fromEntries(Array.from({ length: cases }, (_case, at) => [at, 0.5]));
  const history = tuningHistory(settings, { train: cases }, [{ scores }]);
  return {
    ...history,
    cases: history.cases.map((one) => ({ ...one, input: `${one.input} `.padEnd(length, 'x') })),
  };
}

const planFor = (cases: number) => ({ parent: 0, round: 0, positions: Array.from({ length: cases }, (_, at) => at) });

function groupsOf(history: History) {
  return caseGroups(triedCases(history, planFor(history.cases.length)), { settings, parent: '' });
}

describe("groups of a proposal's cases", () => {
  test.each([
    { name: 'one group for few short cases', history: tried(20), sizes: [20] },
    { name: 'groups of similar size for many cases', history: tried(21), sizes: [11, 10] },
    { name: 'groups of similar size for the maximum number of cases', history: tried(50), sizes: [17, 17, 16] },
    { name: 'groups by length for long cases', history: tried(10, 8_000), sizes: [7, 3] },
    { name: 'one group for one case of any length', history: tried(1, 200_000), sizes: [1] },
  ])('$name', ({ history, sizes }) => {
    expect(groupsOf(history).map((group) => group.length)).toEqual(sizes);
  });

  test('contain each case once, in order, and fit into a request', () => {
    const lengths = fc.array(fc.constantFrom(10, 3_000, 9_000, 60_000), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(lengths, (given) => {
        const history = tried(given.length);
        const cases = history.cases.map((one, at) => ({ ...one, input: 'x'.repeat(given[at] ?? 1) }));
        const groups = groupsOf({ ...history, cases });
        const positions = groups.flat().map(({ case: { position } }) => position);
        expect(positions).toEqual(given.map((_length, at) => at));
        for (const group of groups) {
          expect(group.length).toBeLessThanOrEqual(MAX_CASES_PER_REQUEST);
          const characters = group.reduce((sum, one) => sum + caseLine(one, { settings, parent: '' }).length, 0);
          if (group.length > 1) expect(characters).toBeLessThanOrEqual(MAX_CASES_LENGTH_PER_REQUEST);
        }
      }),
      { numRuns: 60 },
    );
  });
});

const isDiagnosis = ({ prompt }: ModelRequest) => prompt.includes('Do not write a new prompt yet.');
const RULE = /must be (\w+)/;

/** A model that only repeats a rule found in the feedback of a case or in the diagnoses. */
function reading(request: ModelRequest): ModelOutcome {
  const [, color] = RULE.exec(request.prompt) ?? [];
  if (isDiagnosis(request)) return replied(color === undefined ? 'Nothing stands out.' : `Labels must be ${color}.`);
  return replied(`It lacks rules.\n~~~~\nLabels are ${color ?? 'unknown'}: {{input}}\n~~~~`);
}

/** Returns the history with a rule in the feedback of its last case. */
function withRule(history: History): History {
  const last = history.cases.length - 1;
  const tries = history.tries.map((one) => (one.position === last ? { ...one, feedback: 'It must be blue.' } : one));
  return { ...history, tries };
}

async function proposed(
  history: History,
  answer: (request: ModelRequest) => ModelOutcome = reading,
  changes: Partial<ExperimentSettingsInput> = {},
) {
  const { context, requests } = scripted(history, tuningSettingsOf(changes), answer);
  const step = { type: 'propose' as const, proposals: [planFor(history.cases.length)] };
  const result = await performProposals(step, context);
  return { result, version: result?.type === 'proposals' ? result.versions[0] : undefined, requests };
}

describe('proposal from more cases than fit into one request', () => {
  test('is written from diagnoses of all groups, including a rule of the last one', async () => {
    const { version, requests } = await proposed(withRule(tried(50)));
    expect(version?.output).toBe('Labels are blue: {{input}}');
    expect(requests.map(isDiagnosis)).toEqual([true, true, true, false]);
    expect(requests.map(({ ordinal }) => ordinal)).toEqual([32, 33, 34, 0]);
    expect(requests.filter(({ prompt }) => prompt.includes('It must be blue.'))).toHaveLength(1);
    const last = requests.at(-1)?.prompt ?? '';
    expect(last).not.toContain('input of case');
    expect(last).toContain('{"cases":16,"score":0.5,"diagnosis":"Labels must be blue."}');
    expect(version).toMatchObject({ tokenUsage: { total: 40 }, proposal: { positions: planFor(50).positions } });
  });

  test('keeps every request with long cases below 32,000 tokens', async () => {
    const history = withRule(tried(50, 8_000));
    const long = 'x'.repeat(20_000);
    const { version, requests } = await proposed(history, (request) => {
      const response = reading(request);
      return isDiagnosis(request) && response.ok ? replied(`${response.reply.text} ${long}`) : response;
    });
    expect(version?.output).toBe('Labels are blue: {{input}}');
    expect(requests.length).toBeGreaterThan(4);
    for (const { prompt } of requests) expect(prompt.length).toBeLessThan(MAX_CASES_LENGTH_PER_REQUEST + 10_000);
  });

  test('is one request if all cases fit', async () => {
    const { version, requests } = await proposed(withRule(tried(20)));
    expect(requests.map(isDiagnosis)).toEqual([false]);
    expect(version?.output).toBe('Labels are blue: {{input}}');
  });

  test('uses a custom prompt in all its requests', async () => {
    const { requests } = await proposed(tried(30), reading, {
      prompts: { reflect: 'Be kind.', generate: '{{input}}' },
    });
    expect(requests.map(({ instructions }) => instructions)).toEqual(Array(3).fill('Be kind.'));
  });

  test('includes references only if enabled', async () => {
    const shown = await proposed(tried(30));
    expect(shown.requests.filter(({ prompt }) => prompt.includes('reference of case'))).toHaveLength(2);
    const hidden = await proposed(tried(30), reading, { tune: { references: false } });
    expect(hidden.requests.filter(({ prompt }) => prompt.includes('reference of case'))).toEqual([]);
  });

  test('fails with the total spend if a diagnosis fails, and is repeated if one is aborted', async () => {
    const failing = (kind: 'unavailable' | 'aborted') => (request: ModelRequest) =>
      request.ordinal === 33 ? noAnswer(kind) : reading(request);
    const { result, requests } = await proposed(tried(30), failing('unavailable'));
    expect(result).toMatchObject({ type: 'failure', failure: { role: 'reflect', tokenUsage: { total: 15 } } });
    expect(requests).toHaveLength(2);
    expect((await proposed(tried(30), failing('aborted'))).result).toBeNull();
  });
});

describe('calls of a proposal', () => {
  const step = { type: 'propose' as const, proposals: [planFor(50)] };

  test('count in estimates and budgets', () => {
    const history = tried(50);
    expect(estimateNextStep(step, history, settings).calls).toBe(4);
    const few = estimateNextStep({ ...step, proposals: [planFor(20)] }, history, settings);
    expect(few.calls).toBe(1);
    expect(estimateNextStep(step, history, settings).tokens).toBe(4 * few.tokens);
    const held = (maxCalls: number) => findExceededBudgets(step, history, tuningSettingsOf({ budget: { maxCalls } }));
    expect(held(3)).toEqual(['call_budget']);
    expect(held(4)).toEqual([]);
  });

  test('include the embedding call for lesson recall', () => {
    const embeddings = { provider: 'vectors', model: 'small' };
    const calls = (lessons: ExperimentSettingsInput['lessons']) =>
      estimateNextStep({ ...step, proposals: [planFor(3), planFor(3)] }, tried(50), tuningSettingsOf({ lessons }))
        .calls;
    expect(calls({})).toBe(2);
    expect(calls({ embeddings })).toBe(3);
    expect(calls({ embeddings, store: 'none' })).toBe(2);
  });

  test('include a retry only if the budget allows it', async () => {
    const cut = (request: ModelRequest) =>
      isDiagnosis(request) ? reading(request) : replied('~~~~\nSort', { finishReason: 'length' });
    const asked = async (maxCalls: number) =>
      (await proposed(tried(50), cut, { budget: { maxCalls } })).requests.length;
    expect(await asked(4)).toBe(4);
    // The budget reserves calls for a whole proposal.
    expect(await asked(8)).toBe(5);
  });

  test('have unique ordinals below those of recall', () => {
    const indexes = Array.from({ length: 16 }, (_place, at) => at);
    const all = indexes.flatMap((index) => [
      ...Array.from({ length: CALLS_PER_PROPOSAL }, (_call, at) => index * CALLS_PER_PROPOSAL + at),
      ...Array.from({ length: 50 }, (_part, at) => partOrdinal(index, at)),
    ]);
    expect(new Set(all).size).toBe(all.length);
    expect(Math.max(...all)).toBeLessThan(1_000);
  });
});
