import { guidanceOn, guidanceSince } from '#lib/core/due-review.ts';
import { sumSpend } from '#lib/core/spend.ts';
import type { StepContext } from '#lib/core/step-context.ts';
import { iterationsUsed } from '#lib/core/stop-rules.ts';
import { findExceededBudgets } from '../estimate-next-step.ts';
import { failedStep } from '../failed-step.ts';
import { NEW_VERSION, type Version, versionNumbered } from '../history.ts';
import { stepLessons } from '../lesson-form.ts';
import type { PlannedProposal, Step, StepResult } from '../step.ts';
import { wholeText } from '../targets/component-texts.ts';
import { caseGroups, MAX_CASES_LENGTH_PER_REQUEST, triedCases } from './case-groups.ts';
import { proposalProblems } from './proposal-problems.ts';
import { diagnosisPrompt, type ProposalGround, proposalPrompt } from './proposal-prompt.ts';
import type { ReadProposal } from './read-proposal.ts';
import { type PromptRequest, requestPrompts } from './request-prompt.ts';
import { phasesOf, singleStrategy } from './strategies/registry.ts';

type ProposeStep = Extract<Step, { type: 'propose' }>;

/** Maximum characters of a stored diagnosis. */
export const DIAGNOSIS_LENGTH = 4_000;

/**
 * Requests the next prompts in parallel, with the lessons that are recalled for the step. A prompt is kept even if the call for another one
 * failed. An unusable prompt becomes a version with its problems and is never scored. Returns null if a call was aborted: the step is
 * repeated with the saved responses.
 */
export async function performProposals({ proposals }: ProposeStep, context: StepContext): Promise<StepResult | null> {
  const { history, settings } = context;
  const startedAt = context.now().getTime();
  const lessons = await stepLessons([], context.recall);
  if (lessons === null) return null;
  const { recalled, recalledLessons } = lessons;
  const planned = proposals.map((plan) => {
    const parent = versionNumbered(history, plan.parent);
    const ground = { ...groundOf(plan, context, parent), recalled };
    const outputs = shownOutputs(ground);
    const problemsOf = (read: ReadProposal, earlier: Version[] = []) => {
      const before = { cases: history.cases, versions: [...history.versions, ...earlier] };
      return proposalProblems(read, before, settings, parent, outputs, plan.component);
    };
    return { plan, parent, guidance: ground.guidance, problemsOf, ...requestsFor(ground) };
  });
  const mayRetry = (index: number) => {
    // A retry is one more call: its cases are scored and diagnosed once.
    const retries = proposals.slice(0, index + 1).map((plan) => ({ ...plan, positions: [] }));
    return (
      findExceededBudgets({ type: 'propose', proposals: [...proposals, ...retries] }, history, settings).length === 0
    );
  };
  const requested = await requestPrompts(mayRetry, planned, context);
  if (requested === null) return null;
  const { written, failure } = requested;
  // Without a version to record it, the cost of the recall counts as lost.
  const isMade = written.some((made) => made !== null);
  const lost = isMade ? requested.lost : sumSpend([requested.lost, lessons.spend]);
  const versions: Version[] = [];
  for (const [index, { plan, parent, guidance, problemsOf }] of planned.entries()) {
    const made = written[index];
    if (!made) continue;
    const { read, finishReason, spend } = made;
    const { round, positions, component, strategy } = plan;
    versions.push({
      ...NEW_VERSION,
      ...(versions.length === 0 ? sumSpend([spend, lessons.spend]) : spend),
      number: history.versions.length + versions.length,
      iteration: iterationsUsed(history) + 1 + versions.length,
      origin: 'revised',
      parents: [parent.number],
      output: wholeText(read.prompt, parent.output, component),
      improvementsApplied: guidance,
      finishReason,
      recalledLessons,
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

/**
 * Returns the request for a proposal. If its cases do not fit into one, groups of them are diagnosed first, and the proposal is written
 * from the diagnoses (map and reduce), each truncated so that all of them fit.
 */
function requestsFor(ground: ProposalGround): Pick<PromptRequest, 'parts' | 'promptFor'> {
  const groups = caseGroups(ground.tried, ground);
  if (groups.length < 2) return { promptFor: (wrong) => proposalPrompt(ground, wrong) };
  const most = Math.min(DIAGNOSIS_LENGTH, Math.floor(MAX_CASES_LENGTH_PER_REQUEST / groups.length));
  return {
    parts: groups.map((tried) => diagnosisPrompt(ground, tried, most)),
    promptFor: (wrong, replies) =>
      proposalPrompt(
        ground,
        wrong,
        groups.map((tried, at) => ({ tried, diagnosis: (replies[at] ?? '').trim().slice(0, most).toWellFormed() })),
      ),
  };
}

/** Returns the outputs that a request contains, by the position of their case. Several outputs of one case are joined. */
function shownOutputs({ tried, comparisons = [] }: ProposalGround): Map<number, string> {
  const shown = [
    ...tried.map(({ case: { position }, tried: { output } }) => ({ position, output })),
    ...comparisons.flatMap(({ cases }) =>
      cases.flatMap(({ case: { position }, current, other }) => [
        { position, output: current.output },
        { position, output: other.output },
      ]),
    ),
  ];
  const byCase = Map.groupBy(shown, ({ position }) => position);
  return new Map(
    [...byCase].map(([position, ofCase]) => [position, [...new Set(ofCase.map(({ output }) => output))].join('\n')]),
  );
}

function groundOf(plan: PlannedProposal, { history, settings }: StepContext, parent: Version): ProposalGround {
  const last = history.versions.at(-1) ?? parent;
  const [only] = phasesOf(settings.tune.strategy);
  const strategy = singleStrategy(plan.strategy ?? only);
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
