import { describe, expect, test } from 'vitest';
import type { TuningGain } from '#lib/measures/tuning-gain.ts';
import { settingsOf } from '#lib/reflection/history-of.test-support.ts';
import type { RunStatus } from '#lib/reflection/run-record.ts';
import { decisionReason, stateWords } from './candidate-words.ts';
import { type SummaryVersion, summaryOf } from './summary-of.test-support.ts';
import { tuningOutcome } from './tuning-outcome.ts';
import { phaseCount, tuningPhase } from './tuning-phases.ts';

const settings = settingsOf({ mode: 'tune', prompts: { generate: '{{input}}' }, maxIterations: 5 });
const minibatch = { positions: [0, 1, 2], before: 1, after: 2, of: 3 };

describe('why a prompt stands as it does', () => {
  test.each<{ name: string; version: SummaryVersion; acceptance?: 'not_worse'; says: string }>([
    { name: 'accepted', version: { minibatch }, says: '1.00 → 2.00 on its 3 cases: better than v0.' },
    {
      name: 'rejected',
      version: { state: 'rejected', minibatch: { ...minibatch, after: 1 } },
      says: '1.00 → 1.00 on its 3 cases: not better than v0.',
    },
    {
      name: 'by the lesser rule',
      version: { minibatch: { ...minibatch, after: 1 } },
      acceptance: 'not_worse',
      says: '1.00 → 1.00 on its 3 cases: no worse than v0.',
    },
    {
      name: 'held back',
      version: {
        state: 'held_back',
        problems: [
          { kind: 'truncated', text: 'The reply ended at its limit of tokens.' },
          { kind: 'copied_example', text: 'It quotes case 3.' },
        ],
      },
      says: 'The reply ended at its limit of tokens.',
    },
    { name: 'not tried', version: { state: 'untried' }, says: '' },
  ])('$name: $says', ({ version, acceptance, says }) => {
    const [, made] = summaryOf([{}, version]).versions;
    const rules = acceptance === undefined ? settings : { ...settings, tune: { ...settings.tune, acceptance } };
    expect(made && decisionReason(made, rules)).toBe(says);
  });

  test('what was never tried is said so once the run has ended', () => {
    const [, made] = summaryOf([{}, { state: 'untried' }]).versions;
    expect(made && [stateWords(made, false), stateWords(made, true)]).toEqual(['not tried yet', 'never tried']);
  });
});

describe('what a run came to', () => {
  const outcome = (
    versions: SummaryVersion[],
    accepted: number,
    best: number | null,
    status: RunStatus = 'finished',
    gain: TuningGain | null = null,
  ) =>
    tuningOutcome(
      {
        status,
        convergenceReason: status === 'running' ? null : 'max_iterations',
        finalVersion: null,
        bestVersion: best,
      },
      summaryOf(versions, { accepted, gain }),
      settings,
    );

  test('nothing while it goes on', () => {
    expect(outcome([{}], 0, 0, 'running')).toBeNull();
  });

  test('one proposal is said plainly, and that nothing changed', () => {
    expect(outcome([{ mean: 0.5 }, { state: 'rejected' }], 0, 0)).toEqual({
      title: 'One proposal was made, none was accepted.',
      detail: 'The prompt stays as it was given. All 5 proposals used.',
    });
    expect(outcome([{ mean: 0.5 }], 0, 0)?.title).toBe('No proposal was made.');
  });

  test('of how many training cases the reflection model saw the reference', () => {
    const summary = summaryOf([{ mean: 0.5 }, { state: 'rejected' }], { referencesSeen: 3 });
    const ended = { status: 'finished', convergenceReason: 'max_iterations', finalVersion: 0, bestVersion: 0 } as const;
    expect(tuningOutcome(ended, summary, settings)?.detail).toContain(
      'The reflection model saw the references of 3 training cases.',
    );
  });

  test('first and best on the cases it was chosen by and on those nothing was chosen by', () => {
    const mean = (value: number) => ({ n: 2, mean: value, low: null, high: null });
    expect(
      outcome(
        [
          { mean: 0.5, heldOut: mean(0.4) },
          { mean: 0.7, heldOut: mean(0.6) },
        ],
        1,
        1,
        'finished',
        {
          version: 1,
          chosenBy: { n: 4, lift: 0.2, low: -0.1, high: 0.4, isNoise: true },
          heldOut: { n: 2, lift: 0.2, low: 0.1, high: 0.3, isNoise: false },
        },
      ),
    ).toEqual({
      title: 'One proposal was made, one was accepted.',
      detail:
        'v1 against the prompt as given: 0.50 → 0.70 (within noise) by the cases it was chosen by; 0.40 → 0.60 (+0.20, 95 % +0.10 to +0.30) on 2 held-out cases. All 5 proposals used.',
    });
  });
});

describe('what it does just now', () => {
  test.each<{ name: string; versions: SummaryVersion[]; isProposing?: boolean; says: string; counts?: string }>([
    { name: 'at the start', versions: [], says: 'The given prompt' },
    {
      name: 'validating',
      versions: [{ tried: { train: 0, validation: 1, heldOut: 0 } }],
      says: 'Validating v0',
      counts: '1 of 4 cases',
    },
    {
      name: 'between rounds',
      versions: [{ tried: { train: 0, validation: 4, heldOut: 0 } }],
      says: 'Looking for what fails, then v1',
    },
    { name: 'proposing', versions: [{}], isProposing: true, says: 'Proposing v1' },
    { name: 'a minibatch', versions: [{}, { state: 'untried' }], says: 'v1 on the cases it was made from' },
    {
      name: 'held-out cases',
      versions: [{ tried: { train: 3, validation: 4, heldOut: 1 } }],
      says: 'v0 on the held-out cases',
      counts: '1 of 2 cases',
    },
  ])('$name: $says', ({ versions, isProposing = false, says, counts = '' }) => {
    const phase = tuningPhase({ status: 'running', versions: [] }, summaryOf(versions), isProposing);
    expect(phase?.label).toBe(says);
    expect(phase && phaseCount(phase)).toBe(counts);
  });

  test('nothing once it waits', () => {
    expect(tuningPhase({ status: 'waiting', versions: [] }, summaryOf([{}]), false)).toBeNull();
  });
});
