import { describe, expect, test } from 'vitest';
import { noAnswer, scripted } from '../scripted-step.test-support.ts';
import { findTriggeredStopRules } from '../stop-rules.ts';
import { type PromptGiven, tuningHistory } from '../tuning-history.test-support.ts';
import { dueTuningStep } from './due-tuning-step.ts';
import { performTuningStep } from './perform-tuning-step.ts';
import { plannedVariation } from './plan-variation.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

const TEXT = 'Sort: {{input}}';
const FIRST: PromptGiven = { output: TEXT, scores: { 0: 0, 1: 0, 2: 0.5 }, evaluated: true };
const OWN = { provider: 'practice', model: 'practice-1' };

/** Returns a proposal that passed on its training case. */
function proposal(score: number): PromptGiven {
  return { minibatch: [0], scores: { 0: 0.5, 1: 0, 2: score }, evaluated: true };
}

function variation(parameters: PromptGiven['parameters'], score: number, parent = 0): PromptGiven {
  return { ...proposal(score), output: TEXT, parent, round: 0, parameters };
}

describe('next variation', () => {
  test('uses the least-tried value, including that of the settings', () => {
    const settings = tuningSettingsOf({
      generator: { ...OWN, temperature: 0.7 },
      tune: { parameters: { temperatures: [0.7, 0.3, 1] } },
    });
    const history = tuningHistory(settings, { train: 2, validation: 1 }, [
      FIRST,
      variation({ temperature: 0.3 }, 0.6),
      variation({}, 0.6, 1),
      { ...variation({ temperature: 0.3 }, 0.7), output: 'Sort well: {{input}}' },
    ]);
    expect(plannedVariation(history, settings)).toEqual({ parent: 3, parameters: { temperature: 1 } });
  });

  test('skips models that failed', () => {
    const failing = { provider: 'practice', model: 'no-such' };
    const settings = tuningSettingsOf({ tune: { parameters: { models: [failing] } } });
    const history = tuningHistory(settings, { train: 2, validation: 1 }, [
      FIRST,
      {
        ...{ minibatch: [0], output: TEXT, parameters: { model: failing } },
        problems: [{ kind: 'model_failed', text: 'It does not exist.' }],
      },
      proposal(0.8),
    ]);
    expect(plannedVariation(history, settings)).toBeNull();
  });
});

test.each([
  {
    kind: 'not_found' as const,
    result: { type: 'version', version: { proposal: { problems: [{ kind: 'model_failed' }] } } },
  },
  { kind: 'month_budget' as const, result: { type: 'failure', failure: { kind: 'month_budget' } } },
  { kind: 'aborted' as const, result: null },
])('handles a variation whose model fails with $kind', async ({ kind, result }) => {
  const model = { provider: 'practice', model: 'no-such' };
  const settings = tuningSettingsOf({ tune: { parameters: { models: [model] } } });
  const { context, requests } = scripted(tuningHistory(settings, { train: 2, validation: 1 }, [FIRST]), settings, () =>
    noAnswer(kind),
  );
  const plan = { parent: 0, positions: [1], parameters: { model } };
  const made = await performTuningStep({ type: 'vary', plan, round: 0 }, context);
  if (result === null) expect(made).toBeNull();
  else expect(made).toMatchObject(result);
  expect(requests).toMatchObject([{ role: 'try', model, prompt: expect.stringContaining('Sort: input of case 1') }]);
});

test('variations use no training cases of the proposal rounds', () => {
  const settings = tuningSettingsOf({ tune: { minibatchSize: 1, parameters: { temperatures: [0.3] } } });
  const history = tuningHistory(settings, { train: 2, validation: 1 }, [FIRST, variation({ temperature: 0.3 }, 0.4)]);
  expect(dueTuningStep(history, settings)).toMatchObject({ type: 'propose', proposals: [{ round: 0 }] });
});

describe('plateau', () => {
  const rules = (changes: Parameters<typeof tuningSettingsOf>[0], ...given: PromptGiven[]) => {
    const settings = tuningSettingsOf({ convergence: { plateauIterations: 2 }, ...changes });
    return findTriggeredStopRules(tuningHistory(settings, { train: 2, validation: 1 }, [FIRST, ...given]), settings);
  };
  const same = variation({ temperature: 0.3 }, 0.5);

  test('is reached by proposals, not by variations between them', () => {
    const settings = { maxIterations: 20 };
    expect(rules(settings, proposal(0.5), same, proposal(0.5))).toEqual(['plateau']);
    expect(rules(settings, same, proposal(0.5), same)).toEqual([]);
    // A better variation resets the plateau.
    expect(rules(settings, proposal(0.5), variation({ temperature: 0.3 }, 0.6), proposal(0.5))).toEqual([]);
  });

  test.each(['few_shot', 'best_of_n'] as const)('does not end a run with %s', (strategy) => {
    expect(rules({ maxIterations: 20, tune: { strategy } }, proposal(0.5), proposal(0.5), proposal(0.5))).toEqual([]);
  });
});
