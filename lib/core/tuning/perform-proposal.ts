import { guidanceOn, guidanceSince } from '#lib/core/due-review.ts';
import type { StepContext } from '#lib/core/step-context.ts';
import { iterationsUsed } from '#lib/core/stop-rules.ts';
import { failedStep } from '../failed-step.ts';
import {
  type ExampleScore,
  type History,
  NEW_VERSION,
  type TuningCase,
  type Version,
  versionNumbered,
} from '../history.ts';
import type { PlannedProposal, Step, StepResult } from '../step.ts';
import { wholeText } from '../targets/component-texts.ts';
import { effectiveScores } from './cases-of.ts';
import { proposalProblems } from './proposal-problems.ts';
import { type ProposalGround, proposalPrompt } from './proposal-prompt.ts';
import type { ReadProposal } from './read-proposal.ts';
import { requestPrompts } from './request-prompt.ts';
import { remainingPhases } from './strategies/phases.ts';
import { singleStrategy } from './strategies/registry.ts';

type ProposeStep = Extract<Step, { type: 'propose' }>;

/** Characters of a diagnosis that are kept. */
export const DIAGNOSIS_LENGTH = 4_000;

/**
 * Requests the next prompts in parallel. A prompt is kept even if the call for another one failed. A prompt that cannot be used
 * becomes a version with its problems and is never tried. Null if a call was aborted: the step is repeated with
 * the saved responses.
 */
export async function performProposals({ proposals }: ProposeStep, context: StepContext): Promise<StepResult | null> {
  const { history, settings } = context;
  const startedAt = context.now().getTime();
  const planned = proposals.map((plan) => {
    const parent = versionNumbered(history, plan.parent);
    const ground = groundOf(plan, context, parent);
    const outputs = new Map(ground.tried.map(({ case: task, tried }) => [task.position, tried.output]));
    const problemsOf = (read: ReadProposal, earlier: Version[] = []) => {
      const before = { cases: history.cases, versions: [...history.versions, ...earlier] };
      return proposalProblems(read, before, settings, parent, outputs, plan.component);
    };
    const promptFor = (wrong: string[] | null) => proposalPrompt(ground, wrong);
    return { plan, parent, guidance: ground.guidance, problemsOf, promptFor };
  });
  const requested = await requestPrompts({ type: 'propose', proposals: proposals.slice(0, 1) }, planned, context);
  if (requested === null) return null;
  const { written, failure, lost } = requested;
  const versions: Version[] = [];
  for (const [place, { plan, parent, guidance, problemsOf }] of planned.entries()) {
    const made = written[place];
    if (!made) continue;
    const { read, finishReason, spend } = made;
    const { round, positions, component, strategy } = plan;
    versions.push({
      ...NEW_VERSION,
      ...spend,
      number: history.versions.length + versions.length,
      iteration: iterationsUsed(history) + 1 + versions.length,
      origin: 'revised',
      parents: [parent.number],
      output: wholeText(read.prompt, parent.output, component),
      improvementsApplied: guidance,
      finishReason,
      proposal: {
        round,
        positions,
        diagnosis: read.diagnosis.slice(0, DIAGNOSIS_LENGTH).toWellFormed(),
        problems: problemsOf(read, versions),
        ...(component !== undefined && { component }),
        ...(strategy !== undefined && { strategy }),
      },
      createdAt: context.now().toISOString(),
      step: history.step,
    });
  }
  if (failure !== null && versions.length === 0) return failedStep(context, 'reflect', failure, lost);
  return { type: 'proposals', versions, tookMs: context.now().getTime() - startedAt, lost };
}

function groundOf(plan: PlannedProposal, { history, settings }: StepContext, parent: Version): ProposalGround {
  const last = history.versions.at(-1) ?? parent;
  const [present = 'gepa'] = remainingPhases(history, settings);
  const strategy = singleStrategy(plan.strategy ?? present);
  const guidance = [...guidanceOn(history, parent.number), ...guidanceSince(history, last)];
  return {
    settings,
    parent: parent.output,
    component: plan.component ?? null,
    tried: triedCases(history, plan),
    guidance: [...new Set(guidance)],
    ...strategy.shown(history, settings, parent.number),
  };
}

function triedCases(history: History, plan: PlannedProposal): { case: TuningCase; tried: ExampleScore }[] {
  const tries = effectiveScores(history, plan.parent);
  return plan.positions.flatMap((position) => {
    const task = history.cases.find((one) => one.position === position);
    const tried = tries.get(position);
    return task === undefined || tried === undefined ? [] : [{ case: task, tried }];
  });
}
