import type { Prompt } from '#lib/core/prompts/render-template.ts';
import { chooseStrategy, STRATEGIES, strategyName } from '#lib/core/revision/choose-strategy.ts';
import type { Case } from './case.ts';
import type { History, Version } from './history.ts';
import type { RecalledText } from './lesson-schema.ts';
import type { ModelFailure, ModelOutcome, ModelRequest, ModelResponse } from './model-request.ts';
import { answerForm } from './prompt-options.ts';
import { issuesToFix, revisePrompt } from './prompts/revise-prompt.ts';
import type { AppliedStrategy, Revised } from './revision/strategy.ts';
import type { ExperimentSettings } from './settings.ts';
import { spendOfCall, sumSpend } from './spend.ts';
import type { Spend } from './token-usage.ts';

/** A completed revision, with the spend of all its calls. */
export type RevisedText = Spend &
  Pick<Version, 'output' | 'finishReason' | 'strategyNote'> & { strategy: AppliedStrategy };

/** Input of a revision. */
export type RevisionGround = {
  settings: ExperimentSettings;
  case: Case;
  history: History;
  from: Version;
  regressed: { version: number; drop: number } | null;
  /** Recalled lessons of the library. */
  recalled?: RecalledText[];
};

type Revision = RevisionGround & {
  /** Calls the revising model. `ordinal` counts the calls of the revision from 0. */
  ask: (prompt: Prompt, options: Pick<ModelRequest, 'ordinal' | 'output'>) => Promise<ModelOutcome>;
};

/**
 * Revises a text with the chosen strategy. An answer that cannot be applied is requested once more with the problems. After that, the text
 * is rewritten in full, with a note.
 */
export async function reviseText(
  revision: Revision,
): Promise<{ ok: true; revised: RevisedText } | { ok: false; failure: ModelFailure }> {
  const { settings, history, from, regressed } = revision;
  const chosen = chooseStrategy(settings, history, from, issuesToFix(history, from), regressed);
  const outcomes: ModelOutcome[] = [];
  const notes = chosen.note === null ? [] : [chosen.note];
  let wrong: string[] = [];
  for (const strategy of [chosen.strategy, chosen.strategy, 'full_rewrite'] as const) {
    if (outcomes.length === 2)
      notes.push(
        `${capital(strategyName(chosen.strategy))} could not be applied, even after a second request (${listed(wrong)}). The version was rewritten in full instead.`,
      );
    const outcome = await askFor(revision, strategy, outcomes.length < 2 ? wrong : [], outcomes.length);
    if (!outcome.ok) return outcome;
    outcomes.push(outcome);
    const made = readResponse(strategy, from.output, outcome.reply);
    if (made.ok) {
      if (outcomes.length === 2)
        notes.push(
          `The first ${strategyName(strategy)} could not be applied (${listed(wrong)}). The second one could.`,
        );
      const { finishReason } = outcome.reply;
      const strategyNote = notes.length === 0 ? null : notes.join(' ');
      const spend = sumSpend(outcomes.map(spendOfCall));
      return { ok: true, revised: { ...spend, output: made.output, strategy, strategyNote, finishReason } };
    }
    wrong = made.wrong;
  }
  throw new Error('a full rewrite always applies');
}

function askFor(
  { settings, case: task, history, from, regressed, recalled = [], ask }: Revision,
  name: AppliedStrategy,
  wrong: string[],
  ordinal: number,
): Promise<ModelOutcome> {
  const strategy = STRATEGIES[name];
  const prompt = revisePrompt(settings, task, history, from, regressed, { strategy, wrong, recalled });
  return ask(prompt, { ordinal, output: outputOf(settings, name) });
}

/** A full rewrite is a plain text. If tool calls are possible instead, no schema is set. */
function outputOf(
  { generator, structuredReflection }: ExperimentSettings,
  name: AppliedStrategy,
): ModelRequest['output'] {
  if (name === 'full_rewrite') return generator.tools.length > 0 ? null : answerForm(generator).output;
  return structuredReflection ? STRATEGIES[name].output : null;
}

function readResponse(name: AppliedStrategy, draft: string, response: ModelResponse): Revised {
  // Truncated edits may be incomplete, so they are not applied.
  if (name !== 'full_rewrite' && response.finishReason === 'length')
    return { ok: false, wrong: ['the answer was cut off at its length limit: be brief'] };
  return STRATEGIES[name].read(draft, response.text);
}

const MAX_LISTED_PROBLEMS = 3;

function listed(wrong: string[]): string {
  const more = wrong.length - MAX_LISTED_PROBLEMS;
  return [...wrong.slice(0, MAX_LISTED_PROBLEMS), ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
