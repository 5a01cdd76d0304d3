import { expect, test } from 'vitest';
import { spendOfRun } from '#lib/core/spend.ts';
import { type History, isFromCases, type Version } from '../history.ts';
import { nextStep } from '../next-step.ts';
import { partOrdinal } from '../reused-responses.ts';
import { scoreOf } from '../scored-versions.ts';
import type { ExperimentSettings } from '../settings.ts';
import { LESSON, type SimulatedTuning, simulateTuning } from '../simulate-tuning.test-support.ts';
import type { Step } from '../step.ts';
import { STOP_REASONS } from '../stop-reasons.ts';
import { iterationCap } from '../stop-rules.ts';
import { anchorPositions, lostAnchors } from './anchors.ts';
import { parametersOf } from './candidate-parameters.ts';
import { candidateState, isHeldBack, isRuledOut } from './candidate-state.ts';
import { effectiveScores, positionsOf, validationPositions } from './case-scores.ts';
import { minibatchResult } from './minibatch.ts';
import { TRIES_AT_A_TIME } from './perform-tries.ts';
import { isVariation } from './plan-variation.ts';
import { forEveryTuning } from './simulated-tunings.test-support.ts';
import { strategyOf } from './strategies/phases.ts';
import { phasesOf } from './strategies/registry.ts';

const NOW = new Date('2026-01-05T12:00:00.000Z');

/** The simulations take a few seconds, on a loaded machine many times as long. */
const MAX_WALL_MS = 120_000;

/** Returns the parent versions of all proposals. */
function parentsOf(steps: readonly Step[]): Set<number> {
  return new Set(steps.flatMap((step) => (step.type === 'propose' ? step.proposals.map(({ parent }) => parent) : [])));
}

function hasRunBudget({ maxCalls, maxTokens, maxCostUsd, maxSeconds }: ExperimentSettings['budget']): boolean {
  return [maxCalls, maxTokens, maxCostUsd, maxSeconds].some((limit) => limit !== null);
}

/** Returns the history as loaded from storage. */
function kept(history: History): History {
  return JSON.parse(JSON.stringify(history));
}

test('every run ends for any scores, proposals, failures, decisions and budgets', {
  timeout: MAX_WALL_MS,
}, async () => {
  const seen = new Set<string>();
  await forEveryTuning(({ ending }) => void seen.add(ending.reason));
  // The simulation is seeded. It is only meaningful if it reaches every stop reason of this mode.
  const others = [
    'internal_error',
    'semantic_stability',
    'repeated_issues',
    'oscillation',
    'diminishing',
    'cut_off',
    'experiment_budget',
    'month_budget',
  ];
  expect(STOP_REASONS.filter((reason) => !seen.has(reason)).sort()).toEqual(others.sort());
});

test('a run resumed after any step ends like an uninterrupted run', { timeout: MAX_WALL_MS }, async () => {
  await forEveryTuning(async (whole, settings, script) => {
    for (const state of whole.states) {
      const rest = await simulateTuning(settings, script, kept(state));
      expect(rest.ending).toEqual(whole.ending);
      expect(rest.history).toEqual(whole.history);
    }
  }, 40);
});

test('nextStep is deterministic and does not modify the history', { timeout: MAX_WALL_MS }, async () => {
  await forEveryTuning(({ states, steps }, settings) => {
    for (const state of states) {
      const before = JSON.stringify(state);
      expect(nextStep(kept(state), settings, NOW)).toEqual(nextStep(state, settings, NOW));
      expect(JSON.stringify(state)).toBe(before);
    }
    expect(steps[0]).toEqual({ type: 'give' });
  }, 600);
});

test('the returned prompt scores no lower than the first prompt on any anchor case', async () => {
  const seen = { kept: 0, lost: 0 };
  await forEveryTuning(({ history, ending }) => {
    for (const { number } of history.versions) if (lostAnchors(history, number).length > 0) seen.lost++;
    const best = ending.bestVersion;
    if (best === null || best === 0 || anchorPositions(history).length === 0) return;
    seen.kept++;
    const [before, after] = [effectiveScores(history, 0), effectiveScores(history, best)];
    for (const position of anchorPositions(history))
      expect(after.get(position)?.score).toBeGreaterThanOrEqual(before.get(position)?.score ?? 0);
  });
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

test('tries stay within maxTries, and the held-out cases are still tried', async () => {
  let limited = 0;
  await forEveryTuning(({ history, ending }, { tune, budget }) => {
    if (tune.maxTries === null) return;
    const heldOut = new Set(positionsOf(history, 'held_out'));
    const made = history.tries.filter(({ position }) => !heldOut.has(position));
    expect(made.length).toBeLessThanOrEqual(tune.maxTries);
    const best = ending.bestVersion;
    if (ending.reason !== 'try_limit' || best === null || heldOut.size === 0) return;
    // Held-out tries can exceed a budget that the next try on other cases does not.
    if (hasRunBudget(budget)) return;
    limited++;
    const tried = [...effectiveScores(history, best).keys()].filter((position) => heldOut.has(position));
    expect(tried).toHaveLength(heldOut.size);
  });
  expect(limited).toBeGreaterThan(0);
});

test('only proposals that improve on their minibatch are validated and become candidates', async () => {
  const seen = { candidate: 0, rejected: 0, equal: 0 };
  await forEveryTuning(({ history }, settings) => {
    for (const version of history.versions) {
      if (version.proposal === null || version.proposal.combined !== undefined) continue;
      // Sampled few-shot examples skip the minibatch and go to validation.
      if (version.proposal.positions.length === 0) continue;
      const result = minibatchResult(history, version);
      const state = candidateState(history, settings, version);
      if (state !== 'candidate' && state !== 'accepted' && state !== 'rejected') continue;
      // A proposal that was ruled out on its validation cases had improved on its minibatch.
      if (isRuledOut(history, version)) continue;
      if (result === null) throw new Error('a settled proposal was tried');
      if (state === 'rejected') {
        seen.rejected++;
        expect(result.after).toBeLessThanOrEqual(result.before);
        // The score is missing, not zero, and no validation cases that rank other candidates were spent on it.
        expect(scoreOf(history, version.number)).toBeNull();
        continue;
      }
      seen.candidate++;
      if (settings.tune.acceptance === 'strict') expect(result.after).toBeGreaterThan(result.before);
      else expect(result.after).toBeGreaterThanOrEqual(result.before);
      if (result.after === result.before) seen.equal++;
    }
  });
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

test('combines proposals that were accepted together and have the same parent', async () => {
  const seen = { combined: 0, settled: 0, heldBack: 0, instead: 0 };
  await forEveryTuning(({ history }, settings) => {
    for (const combination of history.versions) {
      const numbers = combination.proposal?.combined;
      if (numbers === undefined) continue;
      seen.combined++;
      expect(numbers.length).toBeGreaterThan(1);
      const proposals = history.versions.filter(({ number }) => numbers.includes(number));
      expect(new Set(proposals.map(({ step }) => step)).size).toBe(1);
      expect(new Set(proposals.map(({ parents: [parent] }) => parent))).toEqual(new Set([combination.parents[0]]));
      for (const proposal of proposals) {
        const result = minibatchResult(history, proposal);
        expect(result?.after).toBeGreaterThanOrEqual(result?.before ?? Number.NaN);
      }
      if (isHeldBack(combination)) seen.heldBack++;
      if (scoreOf(history, combination.number) !== null) seen.settled++;
      // The best proposal is validated only if the combination failed.
      const validated = proposals.filter(({ number }) => scoreOf(history, number) !== null);
      expect(validated.length).toBeLessThanOrEqual(1);
      if (validated.length === 1 && history.redraw === null) {
        seen.instead++;
        const [before, after] = [combination.parents[0] ?? -1, combination.number].map((one) => scoreOf(history, one));
        const isDropped = isHeldBack(combination) || isRuledOut(history, combination);
        expect(isDropped || (after ?? 1) <= (before ?? 0)).toBe(true);
      }
      for (const proposal of proposals) {
        if (candidateState(history, settings, proposal) !== 'combined') continue;
        const tried = history.tries.filter(({ version }) => version === proposal.number);
        expect(tried.every(({ position }) => proposal.proposal?.positions.includes(position))).toBe(true);
      }
    }
  });
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
});

test('a rejected proposal is tried only on its minibatch unless a reviewer revises or accepts it', async () => {
  let looked = 0;
  await forEveryTuning(({ history, steps, ending }, settings) => {
    const parents = parentsOf(steps);
    const ordered = new Set(
      history.decisions.flatMap(({ decision, version }) => (decision === 'revise' ? [version] : [])),
    );
    for (const version of history.versions) {
      if (candidateState(history, settings, version) !== 'rejected' || isRuledOut(history, version)) continue;
      if (parents.has(version.number) || ordered.has(version.number) || ending.finalVersion === version.number)
        continue;
      looked++;
      const tried = history.tries.filter(({ version: number }) => number === version.number);
      expect(tried.filter(({ position }) => !version.proposal?.positions.includes(position))).toEqual([]);
    }
  });
  expect(looked).toBeGreaterThan(0);
});

test('each strategy creates prompts in its own way unless a reviewer requests one', async () => {
  const seen = { gepa: 0, best_of_n: 0, pairwise: 0, few_shot: 0, portfolio: 0 };
  await forEveryTuning(({ history, calls }, settings) => {
    const { strategy } = settings.tune;
    const ordered = history.decisions.some(({ decision }) => decision === 'revise' || decision === 'revert');
    for (const version of ordered ? [] : history.versions) {
      const maker = strategyOf(history, settings, version);
      const { proposal, parents } = version;
      if (proposal === null || maker === null || isVariation(version)) continue;
      seen[strategy]++;
      if (maker !== 'gepa') expect(proposal.combined ?? proposal.merged).toBeUndefined();
      if (maker === 'best_of_n') expect(parents).toEqual([0]);
      expect(proposal.demonstrations !== undefined).toBe(maker === 'few_shot');
    }
    if (strategy === 'few_shot' && !ordered)
      expect(calls.filter(({ request }) => request.role === 'reflect')).toEqual([]);
    if (strategy === 'pairwise')
      for (const wave of Map.groupBy(history.versions, ({ step }) => step).values()) expect(wave).toHaveLength(1);
  });
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
});

test('each variation changes one parameter once, and its children keep that parameter', async () => {
  const seen = { variations: 0, candidates: 0, children: 0 };
  await forEveryTuning(({ history, calls }, settings) => {
    const { models, temperatures } = settings.tune.parameters;
    const made = history.versions.filter(isVariation);
    if (models.length + temperatures.length === 0) expect(made).toEqual([]);
    const known = new Set<string>();
    for (const {
      number,
      output,
      parents: [parent = -1],
      proposal,
      iteration,
    } of made) {
      seen.variations++;
      if (candidateState(history, settings, history.versions[number] as Version) === 'candidate') seen.candidates++;
      expect(output).toBe(history.versions[parent]?.output);
      expect(iteration).toBeLessThanOrEqual(iterationCap(history, settings));
      const [before, after] = [parametersOf(history, parent), proposal?.parameters ?? {}];
      const changed = (['model', 'temperature'] as const).filter(
        (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
      );
      expect(changed).toHaveLength(1);
      const key = `${output} ${JSON.stringify(after)}`;
      expect(known).not.toContain(key);
      known.add(key);
    }
    const [first] = calls;
    if (first === undefined) return;
    for (const { version, step } of history.tries) {
      const parameters = parametersOf(history, version);
      if (!isVariation(history.versions[version] as Version) && parameters.temperature !== undefined) seen.children++;
      const asked = calls
        .filter((call) => call.step === step && call.request.role === 'try')
        .map(({ request }) => request);
      expect(asked).toContainEqual(
        expect.objectContaining({
          temperature: parameters.temperature ?? null,
          model: parameters.model ?? { provider: 'practice', model: 'practice-1' },
        }),
      );
    }
    // Judges and the reflection model keep their parameters.
    for (const { request } of calls)
      if (request.role !== 'try') expect(request).toMatchObject({ temperature: null, model: { model: 'practice-1' } });
  });
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
});

test('a portfolio uses its strategies in order and never returns to an earlier one', async () => {
  const seen = new Map<string, number>();
  await forEveryTuning(({ history }, settings) => {
    if (settings.tune.strategy !== 'portfolio') return;
    const indexes = history.versions.flatMap((version) => {
      const maker = strategyOf(history, settings, version);
      if (maker !== null) seen.set(maker, (seen.get(maker) ?? 0) + 1);
      return maker === null ? [] : [phasesOf('portfolio').indexOf(maker)];
    });
    expect(indexes).toEqual(indexes.toSorted());
  });
  expect([...seen.keys()].sort()).toEqual([...phasesOf('portfolio')].sort());
});

test('a held-back proposal is never tried, evaluated, used as a parent or returned', async () => {
  const seen = new Set<string>();
  await forEveryTuning(({ history, ending, steps }) => {
    const parents = parentsOf(steps);
    const heldBack = history.versions.filter(isHeldBack).map(({ number }) => number);
    for (const number of heldBack) {
      expect(history.tries.some(({ version }) => version === number)).toBe(false);
      expect(history.evaluations.some(({ version }) => version === number)).toBe(false);
      expect([ending.bestVersion, ending.finalVersion]).not.toContain(number);
      expect(parents.has(number)).toBe(false);
    }
    for (const { proposal } of history.versions) for (const { kind } of proposal?.problems ?? []) seen.add(kind);
  });
  expect([...seen].sort()).toEqual([
    'empty',
    'missing_variable',
    'model_failed',
    'repeated',
    'too_long',
    'truncated',
    'unchanged',
    'unknown_variable',
    'unreadable',
  ]);
});

test('retries a scored case only in the final test, and an unscored one at most once', async () => {
  let again = 0;
  let repeated = 0;
  await forEveryTuning(({ history }, settings) => {
    const heldOut = positionsOf(history, 'held_out');
    const textOf = (number: number) =>
      `${history.versions[number]?.output} ${JSON.stringify(parametersOf(history, number))}`;
    const attempts = new Map<string, (number | null)[]>();
    for (const { version, position, score } of history.tries) {
      const key = `${position} ${textOf(version)}`;
      const before = attempts.get(key) ?? [];
      const scored = before.filter((earlier) => earlier !== null).length;
      const most = heldOut.includes(position) ? settings.tune.maxRepeats : 1;
      expect(scored).toBeLessThan(most);
      if (scored > 0) repeated++;
      // Only attempts since the last score count.
      attempts.set(
        key,
        scored > 0 && before.at(-1) !== null ? [...before.filter((one) => one !== null), score] : [...before, score],
      );
    }
    const resumes = history.decisions.filter(({ decision }) => decision === 'resume').length;
    for (const scores of attempts.values()) {
      if (scores.length > 1) again++;
      expect(scores.length).toBeLessThanOrEqual(2 * (1 + resumes) * settings.tune.maxRepeats);
    }
  });
  expect(Math.min(again, repeated)).toBeGreaterThan(0);
});

test('held-out scores affect only the final tries', async () => {
  let compared = 0;
  await forEveryTuning(async (run, settings, script) => {
    // A failing call of a held-out try would end only one of the two runs.
    if (script.failAt.length > 0) return;
    // An unreadable case is tried again, which takes time and money.
    const other = await simulateTuning(settings, { ...script, heldOutSeed: script.heldOutSeed + 1 });
    expect(courseOf(other)).toEqual(courseOf(run));
    const heldOut = (one: SimulatedTuning) => triesOn(one.history, true).map(({ score }) => score);
    if (JSON.stringify(heldOut(other)) !== JSON.stringify(heldOut(run))) compared++;
  }, 450);
  expect(compared).toBeGreaterThan(0);
});

test('tries the first and the returned prompt on all held-out cases, only at a regular end', async () => {
  let whole = 0;
  await forEveryTuning(({ history, ending, steps }, settings, script) => {
    const isOwn = ['quality_met', 'plateau', 'nothing_to_mend', 'max_iterations', 'user_accepted'].includes(
      ending.reason,
    );
    const first = steps.findIndex((step) => step.type === 'try' && step.purpose === 'held_out');
    if (first >= 0 && ending.reason !== 'model_failed')
      expect(steps.slice(first).every(({ type }) => type === 'try' || type === 'stop')).toBe(true);
    const heldOut = positionsOf(history, 'held_out');
    if (
      !isOwn ||
      hasRunBudget(settings.budget) ||
      script.unreadable > 0 ||
      heldOut.length === 0 ||
      script.failAt.length > 0
    )
      return;
    whole++;
    for (const version of [0, ending.finalVersion ?? 0])
      expect([...effectiveScores(history, version).keys()]).toEqual(expect.arrayContaining(heldOut));
  });
  expect(whole).toBeGreaterThan(0);
});

test('the evaluation of a candidate is the weighted mean over its validation cases', async () => {
  let weighted = 0;
  await forEveryTuning(({ history }) => {
    for (const { version, overallScore, by, step } of history.evaluations) {
      // The old validation set is no longer available.
      if (history.redraw !== null && step < history.redraw.step) continue;
      const tries = effectiveScores(history, version);
      const scores = validationPositions(history).map((position) => ({
        score: tries.get(position)?.score ?? Number.NaN,
        weight: Number(history.cases[position]?.metadata.weight ?? 1),
      }));
      const total = scores.reduce((sum, { weight }) => sum + weight, 0);
      const mean = scores.reduce((sum, { score, weight }) => sum + score * weight, 0) / total;
      expect(by).toBe('machine');
      expect(Math.abs((overallScore ?? Number.NaN) - mean)).toBeLessThanOrEqual(1e-6);
      if (total !== scores.length) weighted++;
    }
  });
  expect(weighted).toBeGreaterThan(0);
});

test('redraws the validation set at most once, from cases without proposals, and rescores every prompt on it', async () => {
  const seen = { redrawn: 0, candidates: 0 };
  await forEveryTuning(({ history, states, steps, ending }) => {
    const redraws = steps.filter(({ type }) => type === 'redraw');
    expect(redraws.length).toBe(history.redraw === null ? 0 : 1);
    const [first] = states;
    if (history.redraw === null || first === undefined) return;
    seen.redrawn++;
    const { toTraining, toValidation, step } = history.redraw;
    expect(positionsOf(first, 'validation')).toEqual(expect.arrayContaining(toTraining));
    expect(positionsOf(first, 'train')).toEqual(expect.arrayContaining(toValidation));
    expect(positionsOf(history, 'held_out')).toEqual(positionsOf(first, 'held_out'));
    expect(positionsOf(history, 'validation').length).toBeGreaterThan(0);
    for (const version of history.versions)
      for (const position of version.proposal?.positions ?? [])
        expect(positionsOf(history, 'validation')).not.toContain(position);
    // Scores of the old set are never compared with scores of the new one, for any stop reason.
    const scored = history.versions.filter(({ number }) => scoreOf(history, number) !== null);
    const renewed = new Set(history.evaluations.filter((one) => one.step > step).map(({ version }) => version));
    if (renewed.size > 0) for (const { number } of scored) expect(renewed).toContain(number);
    seen.candidates += scored.length;
    // An older prompt must not reach the threshold only because cases it failed were removed.
    const last = history.versions.findLast(({ number }) => scoreOf(history, number) !== null);
    if (ending.reason === 'quality_met') expect(last?.step).toBeGreaterThan(step);
  });
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

test('budgets are exceeded by at most the calls in flight', async () => {
  const held = new Set<string>();
  await forEveryTuning(({ history, ending, calls }, settings) => {
    const { maxCalls, maxTokens, maxCostUsd } = settings.budget;
    const spend = spendOfRun(history);
    const failures = calls.filter(({ outcome }) => !outcome.ok).length;
    // TRIES_AT_A_TIME tries run with two calls each; a call costs 11 to 17 tokens.
    const underWay = 2 * TRIES_AT_A_TIME;
    if (maxTokens !== null) expect(spend.tokenUsage.total).toBeLessThanOrEqual(maxTokens + underWay * 17);
    if (maxCostUsd !== null) expect(spend.costUsd).toBeLessThanOrEqual(maxCostUsd + underWay * 0.017);
    // Calls are reserved before they start.
    if (maxCalls !== null) expect(history.calls).toBeLessThanOrEqual(maxCalls);
    expect(history.calls).toBe(calls.length);
    if (failures === 0) held.add(ending.reason);
  });
  expect(held).toContain('call_budget');
  expect(held).toContain('token_budget');
});

test('counts every paid token', async () => {
  await forEveryTuning(({ history, calls }) => {
    const paid = calls.reduce((sum, { outcome }) => {
      const { tokenUsage } = outcome.ok ? outcome.reply : outcome.failure;
      return sum + tokenUsage.total;
    }, 0);
    expect(spendOfRun(history).tokenUsage.total).toBe(paid);
  });
});

test("only the reflection model sees references: those of the proposal's training cases, none if off", async () => {
  let proposals = 0;
  let shownReferences = 0;
  let divided = 0;
  await forEveryTuning(({ calls, history, steps }, settings) => {
    for (const { request } of calls)
      if (request.role !== 'reflect' || !settings.tune.references) expect(request.prompt).not.toContain('SECRET');
    const asked = calls.flatMap(({ request, step }) => (request.role === 'reflect' ? [{ step, ...request }] : []));
    for (const version of history.versions) {
      if (!isFromCases(version.proposal)) continue;
      const { positions } = version.proposal;
      const shownIn = (prompt: string) =>
        [...prompt.matchAll(/"input":"case (\d+)"/g)].map(([, position]) => Number(position));
      const inStep = asked.filter(({ step }) => step === version.step);
      const partsOf = (index: number) =>
        inStep.filter(({ ordinal }) => ordinal >= partOrdinal(index, 0) && ordinal < partOrdinal(index + 1, 0));
      // Cases that do not fit into one request are split over several.
      const inParts = [0, 1, 2, 3].flatMap((index) => {
        const parts = partsOf(index).toSorted((one, other) => one.ordinal - other.ordinal);
        return parts.length === 0 ? [] : [parts.map(({ prompt }) => prompt).join('\n')];
      });
      if (inParts.length > 0) divided++;
      const ofStep = [...inStep.map(({ prompt }) => prompt), ...inParts];
      if (ofStep.length === 0) continue;
      const prompt = ofStep.find((one) => JSON.stringify(shownIn(one)) === JSON.stringify(positions)) ?? '';
      proposals++;
      const shown = shownIn(prompt);
      expect(shown).toEqual(positions);
      for (const position of shown) expect(positionsOf(history, 'train')).toContain(position);
      const references = [...prompt.matchAll(/SECRET-(\d+)/g)].map(([, position]) => Number(position));
      expect(references).toEqual(settings.tune.references ? shown : []);
      shownReferences += references.length;
    }
    expect(steps.length).toBeGreaterThan(0);
  });
  expect(proposals).toBeGreaterThan(0);
  expect(shownReferences).toBeGreaterThan(0);
  expect(divided).toBeGreaterThan(0);
});

test('library lessons appear only in proposal requests, and each request records them', async () => {
  const seen = { proposals: 0, others: 0 };
  await forEveryTuning(({ calls, history }) => {
    for (const { request } of calls) {
      const isProposal = request.role === 'reflect' && /<(tried_cases|group_diagnoses)>/.test(request.prompt);
      const isPart = request.prompt.includes('Do not write a new prompt yet.');
      expect(request.prompt.includes(LESSON.text)).toBe(isProposal && !isPart);
      seen[isProposal ? 'proposals' : 'others']++;
    }
    for (const { proposal, recalledLessons } of history.versions)
      expect(recalledLessons.map(({ lessonId }) => lessonId)).toEqual(isFromCases(proposal) ? [LESSON.id] : []);
  });
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

test('succeeds exactly if a candidate reached the threshold or a person accepted one', async () => {
  await forEveryTuning(({ ending, history }, settings) => {
    expect(ending.success).toBe(ending.reason === 'quality_met' || ending.reason === 'user_accepted');
    if (ending.reason === 'quality_met')
      expect(scoreOf(history, ending.bestVersion ?? -1)).toBeGreaterThanOrEqual(settings.qualityThreshold);
  });
});

/** Returns the result of a run before its final tries. */
function courseOf({ history, ending }: SimulatedTuning) {
  const { reason, bestVersion, finalVersion } = ending;
  const made = ({ number, output, parents, origin, proposal }: Version) => ({
    number,
    output,
    parents,
    origin,
    proposal,
  });
  return {
    reason,
    bestVersion,
    finalVersion,
    versions: history.versions.map(made),
    decisions: history.decisions.map(({ decision, version, by }) => ({ decision, version, by })),
    tries: triesOn(history, false).map(({ version, position, score }) => ({ version, position, score })),
  };
}

function triesOn(history: History, heldOut: boolean) {
  const positions = positionsOf(history, 'held_out');
  return history.tries.filter(({ position }) => positions.includes(position) === heldOut);
}
