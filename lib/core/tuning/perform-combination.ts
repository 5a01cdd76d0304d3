import { failedStep } from '../failed-step.ts';
import { type History, NEW_VERSION, type Version } from '../history.ts';
import { sumSpend } from '../spend.ts';
import type { StepResult } from '../step.ts';
import type { StepContext } from '../step-context.ts';
import { iterationsUsed } from '../stop-rules.ts';
import { partOf, wholeText } from '../targets/component-texts.ts';
import { DIAGNOSIS_LENGTH } from './perform-proposal.ts';
import { type CombineStep, changedTexts, componentNames } from './plan-combination.ts';
import { proposalProblems } from './proposal-problems.ts';
import { combinationPrompt } from './proposal-prompt.ts';
import type { ReadProposal } from './read-proposal.ts';
import { callsOnTop, requestPrompt } from './request-prompt.ts';

/**
 * Makes one prompt of several proposals. A component that only one of them changed is taken from it. For each of the others the reflection
 * model is asked, all at the same time. Null when a call was aborted.
 */
export async function performCombination(step: CombineStep, context: StepContext): Promise<StepResult | null> {
  const { history, settings } = context;
  const parent = versionOf(history, step.parent);
  const combined = step.versions.map((number) => versionOf(history, number));
  const one = { ...step, components: step.components.slice(0, 1) };
  const mayAskAgain = callsOnTop(one, step.components.length, context);
  const requested = await Promise.all(
    step.components.map(async (component, place) => {
      const problemsOf = (read: ReadProposal) =>
        proposalProblems(read, history, settings, parent, new Map(), component);
      const improved = improvementsOf(parent, combined, component);
      const promptFor = (wrong: string[] | null) =>
        combinationPrompt({ settings, parent: parent.output, component: component ?? null, improved }, wrong);
      return {
        component,
        problemsOf,
        made: await requestPrompt({ place, promptFor, problemsOf, mayAskAgain }, context),
      };
    }),
  );
  const spend = sumSpend(requested.map(({ made }) => made.spend));
  const failure = requested.map(({ made }) => made.failure).find((one) => one !== null);
  if (failure !== undefined) return failedStep(context, 'reflect', failure, spend);

  const asked = requested.flatMap(({ made, ...one }) => (made.failure === null ? [{ ...one, ...made }] : []));
  const output = componentNames(parent.output).reduce<string>((text, component) => {
    const [taken] = changedTexts(parent, combined, component);
    const written = asked.find((one) => one.component === component)?.read.prompt;
    return wholeText(written ?? taken ?? partOf(parent.output, component), text, component);
  }, parent.output);
  const version: Version = {
    ...NEW_VERSION,
    ...spend,
    number: history.versions.length,
    iteration: iterationsUsed(history),
    origin: 'merged',
    parents: [step.parent, ...step.versions],
    output,
    finishReason: asked.at(-1)?.finishReason ?? 'stop',
    proposal: {
      round: step.round,
      positions: [...new Set(combined.flatMap(({ proposal }) => proposal?.positions ?? []))],
      diagnosis: asked
        .map(({ read }) => read.diagnosis)
        .join('\n\n')
        .slice(0, DIAGNOSIS_LENGTH)
        .toWellFormed(),
      problems: asked.flatMap(({ read, problemsOf }) => problemsOf(read)),
      combined: step.versions,
    },
    createdAt: context.now().toISOString(),
    step: history.step,
  };
  return { type: 'version', version };
}

function improvementsOf(parent: Version, combined: Version[], component: string | undefined) {
  return changedTexts(parent, combined, component).map((prompt) => ({
    prompt,
    diagnosis: combined.find(({ output }) => partOf(output, component) === prompt)?.proposal?.diagnosis ?? '',
  }));
}

function versionOf({ versions }: Pick<History, 'versions'>, number: number): Version {
  const found = versions.find((one) => one.number === number);
  if (found === undefined) throw new Error(`the history has no version ${number}`);
  return found;
}
