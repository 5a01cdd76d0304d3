import { appendResult } from '#lib/core/append-result.ts';
import { editedVersion } from '#lib/core/edited-version.ts';
import type { Decision } from '#lib/core/history.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import type { StepResult } from '#lib/core/step.ts';
import type { DecisionInput } from './decision-input.ts';
import type { StoredRun } from './load-run.ts';
import type { RunChange } from './update-run.ts';

/** The versions that one by hand is made from: the one edited, or the two merged. */
export function parentsOf(input: DecisionInput, { history }: Pick<StoredRun, 'history'>): number[] {
  const edited = input.version ?? history.pause?.version;
  return input.decision === 'merge' ? (input.parents ?? []) : edited === undefined ? [] : [edited];
}

/** A version by hand: it ends the pause, is scored like any other, and then the run waits again. */
export function changeByEdit(input: DecisionInput, stored: StoredRun, decision: Decision): RunChange {
  const { history } = stored;
  const parents = parentsOf(input, stored);
  const version = editedVersion(history, { output: input.output ?? '', parents, at: decision.at });
  const made: StepResult = { type: 'version', version };
  const next = appendResult(history, made);
  return {
    history: { ...next, decisions: [...next.decisions, decision], pause: null },
    results: [made, { type: 'decision', decision }],
    verdict: true,
  };
}

/** Why a version cannot be made like that; null when it can. */
export function editRefusal(input: DecisionInput, stored: StoredRun): Result<never> | null {
  const { versions } = stored.history;
  const parents = parentsOf(input, stored);
  const field = input.decision === 'merge' ? 'parents' : 'version';
  const missing = parents.find((number) => versions[number] === undefined);
  if (missing !== undefined)
    return fail(
      'invalid',
      `version ${missing} does not exist: the run has versions 0 to ${versions.length - 1}.`,
      field,
    );
  const same = parents.find((number) => versions[number]?.output === input.output);
  if (same === undefined) return null;
  return fail('invalid', `output is word for word that of version ${same}. Accept it, or change something.`, 'output');
}
