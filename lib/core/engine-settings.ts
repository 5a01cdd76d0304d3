import { z } from 'zod';
import { usedTools } from '#lib/core/agents/used-tools.ts';
import type { Case } from './case.ts';
import { refuseCaseCriteria } from './case-criteria.ts';
import { type CaseCriteria, type CaseCriteriaInput, caseCriteriaSchema } from './case-criteria-schema.ts';
import { waitsForPerson } from './criterion.ts';
import type { Criterion } from './criterion-schema.ts';
import type { Validate } from './engine-services.ts';
import { criterionPlaceholderProblems, placeholderProblems } from './placeholder-problems.ts';
import { type ExperimentSettings, type ExperimentSettingsInput, settingsSchema } from './settings.ts';

type CriterionInput = NonNullable<ExperimentSettingsInput['criteria']>[number];
/** A criterion that a function scores. Defaults: weight 1 and no threshold. */
type CodeCriterion = Partial<Pick<Criterion, 'description' | 'weight' | 'threshold'>> & {
  name: string;
  validate: Validate;
};

/** Settings of an experiment, with functions as criteria. The default mode is `revise`. */
export type EngineSettings = Omit<ExperimentSettingsInput, 'criteria' | 'mode'> & {
  mode?: ExperimentSettingsInput['mode'];
  /** Default: the criteria of the `taskType`, scored by `evaluate`. `custom` has none. */
  criteria?: (CriterionInput | CodeCriterion)[];
};

/** Parses an engine's settings. Throws an error with the invalid setting, its value and its range. */
export function readEngineSettings(
  given: EngineSettings,
  can: { evaluates: boolean; tools: readonly string[]; approves: boolean; tunes?: boolean },
): { settings: ExperimentSettings; validators: ReadonlyMap<string, Validate> } {
  const validators = new Map<string, Validate>();
  const criteria = given.criteria?.map((criterion) => {
    if (!('validate' in criterion)) return criterion;
    const { validate, ...shared } = criterion;
    validators.set(criterion.name.trim(), validate);
    // Settings are data without functions. A pattern that matches anything is a placeholder, and is never evaluated.
    return { ...shared, evaluator: 'regex' as const, config: { pattern: '(?:)' } };
  });
  const read = settingsSchema.safeParse({ mode: 'revise', ...given, criteria });
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(issue === undefined ? z.prettifyError(read.error) : `${issue.path.join('.')}: ${issue.message}`);
  }
  const settings = read.data;
  const [placeholder] = placeholderProblems(settings);
  if (placeholder !== undefined) throw new Error(`${placeholder.path.join('.')}: ${placeholder.message}`);
  if (settings.mode === 'tune' && can.tunes !== true)
    throw new Error('mode: an engine loops over one task. Use tunePrompt to tune a prompt over cases');
  if (settings.generator.target !== null)
    throw new Error('generator.target: an engine calls models by "ask": call your app there');
  const { pause, review, webhook, escalate } = settings.callbacks;
  const waits = escalate ? 'escalate' : pause !== 'never' ? 'pause' : webhook !== null ? 'webhook' : null;
  if (waits !== null) throw new Error(`callbacks.${waits}: an engine has nobody to wait for: decide in onReflection`);
  const looked = review.drafts ? 'drafts' : review.revisions ? 'revisions' : null;
  if (looked !== null)
    throw new Error(
      `callbacks.review.${looked}: an engine has nobody to wait for: decide in ${looked === 'drafts' ? 'onGeneration' : 'onRevision'}`,
    );
  const { confidence } = settings.evaluation;
  if (confidence.below !== null && confidence.action === 'ask')
    throw new Error('evaluation.confidence.action: an engine has nobody to ask: take rejudge or unscored');
  const { base } = settings.generator;
  const missing = usedTools(base).find((tool) => !can.tools.includes(tool));
  if (missing !== undefined) throw new Error(`generator.base: ${missing} is not among the engine's "tools"`);
  if (base.type !== 'single' && base.approve.length > 0 && !can.approves)
    throw new Error('generator.base.approve: an engine has nobody to wait for: decide in onToolCall');
  const human = settings.criteria.find(waitsForPerson);
  if (human !== undefined)
    throw new Error(`criteria: ${human.name} waits for a person, and an engine has none: give it a function`);
  const orphan = settings.criteria.find(({ name }) => !validators.has(name));
  if (orphan !== undefined && !can.evaluates)
    throw new Error(`criteria: ${orphan.name} (${orphan.evaluator}) needs "evaluate" or its own function`);
  return { settings, validators };
}

/** Parses the criteria of a task. Throws an error with the invalid part. */
export function readTaskCriteria(given: CaseCriteriaInput): CaseCriteria {
  const read = caseCriteriaSchema.safeParse(given);
  if (read.success) {
    for (const [position, criterion] of read.data.add.entries()) {
      const [found] = criterionPlaceholderProblems(criterion);
      if (found === undefined) continue;
      throw new Error(`${['criteria', 'add', position, ...found.path].join('.')}: ${found.message}`);
    }
    return read.data;
  }
  const [issue] = read.error.issues;
  throw new Error(`${['criteria', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'does not fit'}`);
}

/** Throws if the criteria of a task are incompatible with the settings, or need something that an engine does not have. */
export function refuseOwnCriteria(settings: ExperimentSettings, task: Case, evaluates: boolean): void {
  const refusal = refuseCaseCriteria(settings, [task], { code: 'invalid', field: (_place, path) => path });
  if (refusal !== null) throw new Error(refusal.problem.message);
  const added = task.criteria?.add ?? [];
  const human = added.find(waitsForPerson);
  if (human !== undefined) throw new Error(`criteria: ${human.name} waits for a person, and an engine has none`);
  const [first] = added;
  if (first !== undefined && !evaluates)
    throw new Error(`criteria: ${first.name} (${first.evaluator}) needs "evaluate"`);
}
