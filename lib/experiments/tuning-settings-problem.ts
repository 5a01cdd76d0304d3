import { comparedVersion, waitsForPerson } from '#lib/core/criterion.ts';
import { estimatedTokens } from '#lib/core/estimated-tokens.ts';
import { fail, failAll, type Problem, type Refusal } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import {
  hasComponentLine,
  splitComponents,
  textToTune,
  tunedNames,
  writesFirstPrompt,
} from '#lib/core/targets/component-texts.ts';

/** Returns the problem that prevents tuning with these settings, with the field. Null if there is none, and in other modes. */
export function tuningSettingsProblem(settings: ExperimentSettings): Refusal | null {
  if (settings.mode !== 'tune') return null;
  return failAll(
    [
      promptProblem(settings) ?? [],
      demonstrationProblem(settings),
      parameterProblems(settings),
      criterionProblems(settings),
      findHumanInputProblems(settings),
    ].flat(),
  );
}

function promptProblem(settings: ExperimentSettings): Problem | null {
  const { generator, tune } = settings;
  const prompt = textToTune(settings) ?? '';
  const { target } = generator;
  if (writesFirstPrompt(settings)) return null;
  if (prompt.split('\n').every((line) => line.trim() === '' || hasComponentLine(line)))
    return target === null
      ? refuse('prompts.generate', 'must contain the prompt to tune, unless tune.task describes the task')
      : refuse('generator.target.tuned', `must be a component with a text: ${tunedNames(target).join(', ')} is empty`);
  const parts = [...splitComponents(prompt).values()];
  const tokens = Math.max(...(parts.length === 0 ? [prompt] : parts).map(estimatedTokens));
  if (tokens <= tune.maxPromptTokens) return null;
  const message = `must be at least ${tokens}, about what the given prompt has, got ${tune.maxPromptTokens}`;
  return refuse('tune.maxPromptTokens', message);
}

/** Rejects worked examples if several components are tuned, because an example covers the whole app, not one component. */
function demonstrationProblem({ generator: { target }, tune }: ExperimentSettings): Problem[] {
  if (target === null || tunedNames(target).length < 2) return [];
  const why = 'if several components are tuned: an example shows the whole app';
  return [
    ...(tune.strategy === 'few_shot' ? [refuse('tune.strategy', `must not be few_shot ${why}`)] : []),
    ...(tune.demonstrations === 0 ? [] : [refuse('tune.demonstrations', `must be 0 ${why}`)]),
  ];
}

/** An app chooses its own models. */
function parameterProblems({ generator: { target }, tune }: ExperimentSettings): Problem[] {
  if (target === null) return [];
  return (['models', 'temperatures'] as const).flatMap((factor) =>
    tune.parameters[factor].length === 0
      ? []
      : refuse(`tune.parameters.${factor}`, 'must be empty, because the target chooses its own model and temperature'),
  );
}

function criterionProblems({ criteria }: ExperimentSettings): Problem[] {
  return criteria.flatMap((criterion, position) => {
    const field = `criteria.${position}`;
    if (waitsForPerson(criterion))
      return refuse(`${field}.evaluator`, 'must not be human: a person cannot score every case of every prompt');
    const against = comparedVersion(criterion);
    if (against !== null)
      return refuse(
        `${field}.config.against`,
        `must be reference: answers to one case have no ${against} version to be held against`,
      );
    return [];
  });
}

/** Rejects settings of other modes that have no effect in tuning, so that nobody relies on them. */
function findHumanInputProblems({ callbacks, triggers, evaluation }: ExperimentSettings): Problem[] {
  const asks = evaluation.confidence.below !== null && evaluation.confidence.action === 'ask';
  const refused = [
    asks && {
      field: 'evaluation.confidence.action',
      message: 'must be rejudge or unscored: a person cannot be asked about every case of every prompt',
    },
    callbacks.escalate && { field: 'callbacks.escalate', message: 'must be false: only attempts are escalated' },
    callbacks.review.drafts && {
      field: 'callbacks.review.drafts',
      message: 'must be false: a tuning run begins with the given prompt, not with a draft',
    },
    triggers.onError && {
      field: 'triggers.onError',
      message: 'must be false: tuning reflects on failed cases, not on errors',
    },
    triggers.onQualityDrop && {
      field: 'triggers.onQualityDrop',
      message: 'must be false: a prompt that is no better is rejected',
    },
  ];
  return refused.flatMap((one) => (one === false ? [] : refuse(one.field, one.message)));
}

function refuse(field: string, message: string): Problem {
  return fail('invalid', `${field} ${message}.`, field).problem;
}
