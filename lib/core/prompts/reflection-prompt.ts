import { issuesForCritic } from '#lib/core/issues/open-issues.ts';
import { qualityDrop } from '#lib/core/stop-rules.ts';
import type { Case } from '../case.ts';
import type { Evaluation, History, Version } from '../history.ts';
import { withIssueIds } from '../issues/identify-issues.ts';
import { effectiveEvaluation } from '../scored-versions.ts';
import type { ExperimentSettings } from '../settings.ts';
import type { Step } from '../step.ts';
import { agentCheckPrompt } from './agent-check-prompt.ts';
import { agentCourse, LONGEST_COURSE } from './agent-course.ts';
import { critiquePrompt } from './critique-prompt.ts';
import { triedBefore } from './earlier-findings.ts';
import { errorPrompt } from './error-prompt.ts';
import { qualityDropPrompt } from './quality-drop-prompt.ts';
import type { Prompt } from './render-template.ts';

/** What a reflection is asked for, by what made it due. Throws where the history has nothing of the kind to reflect on. */
export function reflectionPrompt(
  history: History,
  settings: ExperimentSettings,
  task: Case,
  { version: number, trigger }: Extract<Step, { type: 'critique' }>,
): Prompt {
  const course = agentCourse(history, number, LONGEST_COURSE);
  switch (trigger) {
    case 'step_interval':
      return agentCheckPrompt(settings, task, history, []);
    case 'tool_result':
      return agentCheckPrompt(settings, task, history, settings.triggers.onTools);
    case 'completion':
    case 'manual': {
      const version = versionOf(history, number);
      const tried = triedBefore(history, number);
      const open = issuesForCritic(history, version);
      const evaluation = effectiveEvaluation(withIssueIds(history), number);
      return critiquePrompt(settings, task, version, evaluation, course, tried, open);
    }
    case 'quality_drop': {
      const drop = qualityDrop(history, settings, versionOf(history, number));
      if (drop === null) throw new Error(`version ${number} did not fall`);
      return qualityDropPrompt(settings, task, judged(history, number), judged(history, drop.before));
    }
    case 'error': {
      if (history.failure === null) throw new Error('there is no failure to reflect on');
      const draft = history.failure.role === 'revise' ? (history.versions.at(-1) ?? null) : null;
      return errorPrompt(settings, task, history.failure, draft, course);
    }
  }
}

function judged(history: History, number: number): { version: Version; evaluation: Evaluation } {
  const evaluation = effectiveEvaluation(history, number);
  if (evaluation === null) throw new Error(`version ${number} was not evaluated`);
  return { version: versionOf(history, number), evaluation };
}

function versionOf(history: History, number: number): Version {
  const version = history.versions.find((candidate) => candidate.number === number);
  if (version === undefined) throw new Error(`the history has no version ${number}`);
  return version;
}
