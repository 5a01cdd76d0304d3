import { guidanceOn, guidanceSince } from '#lib/core/due-review.ts';
import type { StepContext } from '#lib/core/step-context.ts';
import { iterationsUsed } from '#lib/core/stop-rules.ts';
import { failedStep } from '../failed-step.ts';
import { type ExampleScore, type History, NEW_VERSION, type TuningCase, type Version, versionNumbered } from '../history.ts';
import { sumSpend } from '../spend.ts';
import type { PlannedProposal, Step, StepResult } from '../step.ts';
import { wholeText } from '../targets/component-texts.ts';
import { effectiveScores } from './cases-of.ts';
import { proposalProblems } from './proposal-problems.ts';
import { type ProposalGround, proposalPrompt } from './proposal-prompt.ts';
import { type ReadProposal, turnedDown } from './read-proposal.ts';
import { mayAskAgain, requestPrompt } from './request-prompt.ts';

type ProposeStep = Extract<Step, { type: 'propose' }>;

/** Characters of a diagnosis that are kept. */
export const DIAGNOSIS_LENGTH = 4_000;

/**
 * Asks for the next prompts, all at the same time. What was answered is kept even if the call of another one failed. What cannot be used
 * becomes a version all the same, with what is wrong with it, and is never tried. Null if a call was aborted: the step is done again, with
 * the replies that were saved.
 */
export async function performProposals({ proposals }: ProposeStep, context: StepContext): Promise<StepResult | null> {
  const { history, settings } = context;
  const startedAt = context.now().getTime();
  const one = { type: 'propose' as const, proposals: proposals.slice(0, 1) };
  const requested = await Promise.all(
    proposals.map(async (plan, place) => {
      const parent = versionNumbered(history, plan.parent);
      const ground = groundOf(plan, context, parent);
      const outputs = new Map(ground.tried.map(({ case: task, tried }) => [task.position, tried.output]));
      const problemsOf = (read: ReadProposal, earlier: Version[] = []) => {
        const before = { cases: history.cases, versions: [...history.versions, ...earlier] };
        return proposalProblems(read, before, settings, parent, outputs, plan.component);
      };
      const promptFor = (wrong: string[] | null) => proposalPrompt(ground, wrong);
      const isAskedAgain = mayAskAgain(one, proposals.length, place, context);
      const made = await requestPrompt({ place, promptFor, problemsOf, mayAskAgain: isAskedAgain }, context);
      return { plan, parent, guidance: ground.guidance, problemsOf, made };
    }),
  );
  if (requested.some(({ made }) => made.failure?.kind === 'aborted')) return null;
  const versions: Version[] = [];
  for (const { plan, parent, guidance, problemsOf, made } of requested) {
    if (made.failure !== null) continue;
    const { read, finishReason, spend } = made;
    const { round, positions, component } = plan;
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
      },
      createdAt: context.now().toISOString(),
      step: history.step,
    });
  }
  const failed = requested.flatMap(({ made }) => (made.failure === null ? [] : [made]));
  const lost = sumSpend(failed.map(({ spend }) => spend));
  if (versions.length > 0) return { type: 'proposals', versions, tookMs: context.now().getTime() - startedAt, lost };
  const [first] = failed;
  return first === undefined ? null : failedStep(context, 'reflect', first.failure, lost);
}

function groundOf(plan: PlannedProposal, { history, settings }: StepContext, parent: Version): ProposalGround {
  const last = history.versions.at(-1) ?? parent;
  const guidance = [...guidanceOn(history, parent.number), ...guidanceSince(history, last)];
  return {
    settings,
    parent: parent.output,
    component: plan.component ?? null,
    tried: triedCases(history, plan),
    guidance: [...new Set(guidance)],
    rejected: turnedDown(history, settings, parent.number),
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
