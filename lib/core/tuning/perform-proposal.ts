import { guidanceOn, guidanceSince } from '#lib/core/due-review.ts';
import { withoutThinking } from '#lib/core/responses.ts';
import { spendOfCall, sumSpend } from '#lib/core/spend.ts';
import type { StepContext } from '#lib/core/step-context.ts';
import { iterationsUsed } from '#lib/core/stop-rules.ts';
import { failedStep } from '../failed-step.ts';
import {
  type ExampleScore,
  type History,
  NEW_VERSION,
  type ProposalProblem,
  type TuningCase,
  type Version,
} from '../history.ts';
import type { ModelOutcome } from '../model-request.ts';
import { callSettings, modelFor } from '../settings.ts';
import type { Step, StepResult } from '../step.ts';
import { wholeText } from '../targets/component-texts.ts';
import { effectiveScores } from './cases-of.ts';
import { proposalProblems } from './proposal-problems.ts';
import { type ProposalGround, proposalPrompt } from './proposal-prompt.ts';
import { problemForModel, type ReadProposal, readProposal, turnedDown } from './read-proposal.ts';

type ProposeStep = Extract<Step, { type: 'propose' }>;

type MadeProposal = Omit<ReadProposal, 'problem'> & { finishReason: string; problems: ProposalProblem[] };

/** Characters of a diagnosis that are kept. */
const DIAGNOSIS_LENGTH = 4_000;

/**
 * Asks for the next prompt; once more where the reply could not be read to its end or copies cases. What cannot be used the second time either becomes a
 * version all the same, with what is wrong with it, and is never tried. Null when its call was aborted.
 */
export async function performProposal(step: ProposeStep, context: StepContext): Promise<StepResult | null> {
  const { history, settings } = context;
  const parent = history.versions.find(({ number }) => number === step.parent);
  if (parent === undefined) throw new Error(`the history has no version ${step.parent}`);
  const ground = groundOf(step, context, parent);
  const outcomes: ModelOutcome[] = [];
  const outputs = new Map(ground.tried.map(({ case: task, tried }) => [task.position, tried.output]));
  let made: MadeProposal | null = null;
  for (const ordinal of [0, 1]) {
    const outcome = await context.call(history.step, {
      role: 'reflect',
      ordinal,
      model: modelFor(settings, 'reflect'),
      ...proposalPrompt(ground, made === null ? null : reasonsToAskAgain(made.problems)),
      ...callSettings(settings, 'reflect'),
      output: null,
    });
    outcomes.push(outcome);
    if (!outcome.ok) return failedStep(context, 'reflect', outcome.failure, sumSpend(outcomes.map(spendOfCall)));
    const { text, finishReason } = outcome.reply;
    const read = readProposal(withoutThinking(text), finishReason);
    made = {
      ...read,
      finishReason,
      problems: proposalProblems(read, history, settings, parent, outputs, step.component),
    };
    if (reasonsToAskAgain(made.problems).length === 0) break;
  }
  if (made === null) throw new Error('a proposal is requested at least once');
  const version: Version = {
    ...NEW_VERSION,
    ...sumSpend(outcomes.map(spendOfCall)),
    number: history.versions.length,
    iteration: iterationsUsed(history) + 1,
    origin: 'revised',
    parents: [step.parent],
    output: wholeText(made.prompt, parent.output, step.component),
    improvementsApplied: ground.guidance,
    finishReason: made.finishReason,
    proposal: {
      round: step.round,
      positions: step.positions,
      diagnosis: made.diagnosis.slice(0, DIAGNOSIS_LENGTH).toWellFormed(),
      problems: made.problems,
      ...(step.component !== undefined && { component: step.component }),
    },
    createdAt: context.now().toISOString(),
    step: history.step,
  };
  return { type: 'version', version };
}

/** What is wrong with a reply that another one may mend; empty where there is nothing, or what only the next round can mend. */
function reasonsToAskAgain(problems: readonly ProposalProblem[]): string[] {
  const found = problems.filter(({ kind }) => REPLY_PROBLEMS.includes(kind)).map(problemForModel);
  return [...new Set(found)];
}

const REPLY_PROBLEMS: readonly ProposalProblem['kind'][] = ['unreadable', 'empty', 'truncated', 'copied_cases'];

function groundOf(step: ProposeStep, { history, settings }: StepContext, parent: Version): ProposalGround {
  const last = history.versions.at(-1) ?? parent;
  const guidance = [...guidanceOn(history, parent.number), ...guidanceSince(history, last)];
  return {
    settings,
    parent: parent.output,
    component: step.component ?? null,
    tried: triedCases(history, step),
    guidance: [...new Set(guidance)],
    rejected: turnedDown(history, settings, parent.number),
  };
}

function triedCases(history: History, step: ProposeStep): { case: TuningCase; tried: ExampleScore }[] {
  const tries = effectiveScores(history, step.parent);
  return step.positions.flatMap((position) => {
    const task = history.cases.find((one) => one.position === position);
    const tried = tries.get(position);
    return task === undefined || tried === undefined ? [] : [{ case: task, tried }];
  });
}
