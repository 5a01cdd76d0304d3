import { estimatedTokens } from '#lib/core/estimated-tokens.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import { templateVariables } from '#lib/core/prompts/template-variables.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';

/** What keeps settings from tuning a prompt, with the field at fault; null where nothing does, and in other modes. */
export function tuningSettingsProblem(settings: ExperimentSettings): Result<never> | null {
  if (settings.mode !== 'tune') return null;
  return promptProblem(settings) ?? criterionProblem(settings) ?? askingProblem(settings);
}

function promptProblem({ prompts, tune }: ExperimentSettings): Result<never> | null {
  const prompt = prompts.generate ?? '';
  if (prompt.trim() === '') return refuse('prompts.generate', 'must hold the prompt that is to be tuned');
  if (!templateVariables(prompt).some(({ known }) => known))
    return refuse('prompts.generate', 'must hold {{input}} or {{metadata.name}}: without one every case is the same');
  const tokens = estimatedTokens(prompt);
  if (tokens <= tune.maxPromptTokens) return null;
  const message = `must be at least ${tokens}, about what the given prompt has, got ${tune.maxPromptTokens}`;
  return refuse('tune.maxPromptTokens', message);
}

function criterionProblem({ criteria }: ExperimentSettings): Result<never> | null {
  for (const [position, criterion] of criteria.entries()) {
    const field = `criteria.${position}`;
    if (criterion.evaluator === 'human')
      return refuse(`${field}.evaluator`, 'must not be human: a person cannot score every case of every prompt');
    if (criterion.evaluator === 'comparison' && criterion.config.against !== 'reference')
      return refuse(
        `${field}.config.against`,
        `must be reference: answers to one case have no ${criterion.config.against} version to be held against`,
      );
  }
  return null;
}

/** Settings of other modes that somebody may rely on are refused, so that nobody waits for what never comes. */
function askingProblem({ callbacks, triggers, evaluation }: ExperimentSettings): Result<never> | null {
  if (evaluation.confidence.below !== null && evaluation.confidence.action === 'ask')
    return refuse(
      'evaluation.confidence.action',
      'must be rejudge or unscored: a person cannot be asked about every case of every prompt',
    );
  if (callbacks.escalate) return refuse('callbacks.escalate', 'must be false: only attempts are escalated');
  if (callbacks.review.drafts)
    return refuse(
      'callbacks.review.drafts',
      'must be false: a tuning run begins with the given prompt, not with a draft',
    );
  if (triggers.onError)
    return refuse('triggers.onError', 'must be false: tuning reflects on failed cases, not on errors');
  if (triggers.onQualityDrop)
    return refuse('triggers.onQualityDrop', 'must be false: a prompt that is no better is rejected');
  return null;
}

function refuse(field: string, message: string): Result<never> {
  return fail('invalid', `${field} ${message}.`, field);
}
