import type { Case } from '../case.ts';
import type { Critique, History, Version } from '../history.ts';
import { critiqueOn, wentWrongSoFar } from '../reflections.ts';
import { roundTo6 } from '../round.ts';
import { effectiveEvaluation, scoreOf } from '../scored-versions.ts';
import type { ExperimentSettings } from '../settings.ts';
import type { Prompt } from './prompt.ts';
import { quote } from './quote.ts';
import { renderTemplate } from './render-template.ts';
import { quotedList, quotedTask } from './task-text.ts';

const INSTRUCTIONS = `You revise a draft. Mend every issue that is named, keep what is good, and change nothing else. Answer with the whole new text
only, without remarks about what you changed.`;

/** Asks for a new version of `from`, told what its critique says and, after a regression, what went wrong with the version that fell. */
export function revisePrompt(
  settings: ExperimentSettings,
  task: Case,
  history: History,
  from: Version,
  regressed: { version: number; fell: number } | null,
): Prompt {
  const critique = critiqueOn(history, from.number);
  const wrong = [
    ...(regressed === null ? [] : [wentWrong(history, regressed)]),
    ...wentWrongSoFar(history).map((line) => `- ${line}`),
  ];
  const sections = [
    quotedTask(settings, task),
    ...priorVersions(settings, history, from),
    quote('draft', from.output),
    ...quotedList('issues', issueTexts(history, from, critique)),
    ...quotedList('suggestions', critique?.suggestions ?? []),
  ];
  if (critique !== null && critique.issues.length === 0 && critique.text)
    sections.push(quote('critique', critique.text));
  if (wrong.length > 0) sections.push(quote('went_wrong', wrong.join('\n')));
  if (settings.revision.includeReflectionHistory) {
    sections.push(
      ...quotedList(
        'earlier_critiques',
        history.critiques
          .filter(({ trigger, version }) => trigger !== 'error' && version < from.number)
          .map((earlier) => earlier.text),
      ),
    );
  }
  return {
    instructions: settings.prompts.revise === null ? INSTRUCTIONS : renderTemplate(settings.prompts.revise, task),
    prompt: sections.join('\n\n'),
  };
}

/** The issues a revision is asked to mend: the critique's, else those the evaluation named. */
export function issueTexts(history: History, from: Version, critique: Pick<Critique, 'issues'> | null): string[] {
  const issues =
    critique !== null && critique.issues.length > 0
      ? critique.issues
      : (effectiveEvaluation(history, from.number)?.issues ?? []);
  return issues.map((issue) => issue.text);
}

function priorVersions(settings: ExperimentSettings, history: History, from: Version): string[] {
  if (!settings.revision.includePriorVersions) return [];
  return history.versions
    .filter((version) => version.number < from.number)
    .map((version) => {
      const score = scoreOf(history, version.number);
      return quote(
        'prior_version',
        `(version ${version.number}, score ${score === null ? 'unscored' : roundTo6(score).toFixed(2)})\n${version.output}`,
      );
    });
}

function wentWrong(history: History, regressed: { version: number; fell: number }): string {
  const issues = effectiveEvaluation(history, regressed.version)?.issues.map((issue) => `- ${issue.text}`) ?? [];
  return [
    `The last revision (version ${regressed.version}) scored ${regressed.fell.toFixed(2)} lower than the text it came from. Take another way.`,
    ...issues,
  ].join('\n');
}
