import { chatPromptProblem } from '#lib/core/chat/chat-prompt.ts';
import { JUDGE_VARIABLES, judgeTexts, templateVariables, withheldVariables } from '#lib/core/prompts/judge-texts.ts';
import { isJudgedByModel } from './criterion.ts';
import type { Criterion } from './criterion-schema.ts';
import type { ExperimentSettings } from './settings.ts';

/** Texts of settings that may contain variables. */
export type TextsWithVariables = Pick<ExperimentSettings, 'criteria' | 'prompts'>;

/** A text that cannot be saved: its path in the settings, and the reason as the end of a sentence. */
export type PlaceholderProblem = { path: (string | number)[]; message: string };

/**
 * Returns the problems of variables in new texts: unknown ones in texts for a judge, and the reference in texts for models that must not
 * see it. Texts in `before`, the stored settings, are exempt and keep working.
 */
export function placeholderProblems(
  settings: TextsWithVariables,
  before: TextsWithVariables | null = null,
): PlaceholderProblem[] {
  const known = new Set(before === null ? [] : textsOf(before).map(keyOf));
  return textsOf(settings).flatMap((one) => {
    const message = known.has(keyOf(one)) ? null : problemOf(one);
    return message === null ? [] : [{ path: one.path, message }];
  });
}

/** Returns the same problems for one criterion, with paths relative to it. */
export function criterionPlaceholderProblems(criterion: Criterion): PlaceholderProblem[] {
  return textsOfCriterion(criterion).flatMap((one) => {
    const message = problemOf(one);
    return message === null ? [] : [{ path: one.path, message }];
  });
}

type Read = PlaceholderProblem['path'];
type TextWithVariables = { path: Read; text: string; withheld: string[] | null; isChat?: boolean };

/** `withheld`: variables hidden from a judge but not from others. Null if no judge receives the text. */
function textsOf({ criteria, prompts }: TextsWithVariables): TextWithVariables[] {
  const judged = criteria.filter(isJudgedByModel);
  const withheld = [...new Set(judged.flatMap(withheldVariables))];
  const { evaluate, ...others } = prompts;
  return [
    ...Object.entries(others).map(([role, text]) => ({
      path: ['prompts', role],
      text: text ?? '',
      withheld: null,
      isChat: role === 'generate',
    })),
    { path: ['prompts', 'evaluate'], text: evaluate ?? '', withheld },
    ...criteria.flatMap((criterion, position) =>
      textsOfCriterion(criterion).map((one) => ({ ...one, path: ['criteria', position, ...one.path] })),
    ),
  ];
}

function textsOfCriterion(criterion: Criterion): TextWithVariables[] {
  return judgeTexts(criterion).map((one) => ({ ...one, withheld: withheldVariables(criterion) }));
}

/** The key ignores the position of a text in its list. */
function keyOf({ path, text, withheld }: TextWithVariables): string {
  const [part, role] = path;
  return JSON.stringify([part === 'prompts' ? role : part, text, withheld]);
}

function problemOf({ text, withheld, isChat = false }: TextWithVariables): string | null {
  if (withheld === null) {
    const asks = templateVariables(text).some(({ name }) => name === 'reference');
    return asks ? NO_REFERENCE : isChat ? chatPromptProblem(text) : null;
  }
  const variables = templateVariables(text, 'judge');
  const hidden = variables.find(({ name }) => withheld.includes(name));
  if (hidden !== undefined) return `must not contain {{${hidden.name}}}: ${BLIND}`;
  const unknown = variables.find(({ known }) => !known);
  if (unknown === undefined) return null;
  const shown = unknown.name.length > 60 ? `${unknown.name.slice(0, 60)}…` : unknown.name;
  const allowed = JUDGE_VARIABLES.map(({ name }) => `{{${name}}}`).filter(
    (name) => !withheld.some((no) => name === `{{${no}}}`),
  );
  return `must not contain the unknown variable {{${shown}}}. Use ${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}, or write { {${shown}} } for text in braces`;
}

const NO_REFERENCE =
  'must not contain {{reference}}: models that work on the task must not see it. Use it in the prompt for evaluate or in the texts of judged criteria';
const BLIND = 'a judge that compares two texts must not know which is which';
