import type { EvaluationIssue, History, Version } from '#lib/core/history.ts';
import { unquote } from '#lib/core/prompts/quote.ts';
import { isCutOff } from '#lib/core/responses.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { incremental } from './incremental.ts';
import type { AppliedStrategy, Strategy } from './strategy.ts';
import { targetedEdit } from './targeted-edit.ts';

/** Strategy of the next revision. `note` explains to people why it differs from the setting. */
type ChosenStrategy = { strategy: AppliedStrategy; note: string | null };

/** Maximum number of local issues that are fixed by edits. */
const MAX_LOCAL_ISSUES = 3;

/**
 * Returns the strategy to revise `from`: the configured one, or for `hybrid` the one that fits the issues. After a regression or a revision
 * that was cut off, it is a different one, preferably not yet tried on this text.
 */
export function chooseStrategy(
  settings: ExperimentSettings,
  history: History,
  from: Version,
  issues: EvaluationIssue[],
  regressed: { version: number } | null,
): ChosenStrategy {
  const set = settings.revision.strategy;
  const wanted = set === 'hybrid' ? fittingStrategy(issues) : set;
  const fallen = history.versions.find(({ number }) => number === regressed?.version);
  if (fallen === undefined || fallen.strategy === null) return { strategy: wanted, note: null };
  const tried = history.versions.filter(({ parents }) => parents.includes(from.number)).map(({ strategy }) => strategy);
  const others = [wanted, ...Object.values(STRATEGIES).map(({ name }) => name)].filter(
    (strategy) => strategy !== fallen.strategy,
  );
  const strategy = others.find((other) => !tried.includes(other)) ?? others[0] ?? wanted;
  if (strategy === wanted) return { strategy, note: null };
  const what = isCutOff(fallen) ? 'was cut off' : 'fell';
  const way = `${strategyName(strategy)} instead of ${strategyName(wanted)}`;
  return { strategy, note: `${way}: version ${fallen.number}, made by ${strategyName(fallen.strategy)}, ${what}.` };
}

/** Returns targeted edits for one to three local issues, sections for only missing parts, and otherwise a full rewrite. */
export function fittingStrategy(issues: EvaluationIssue[]): AppliedStrategy {
  if (issues.length === 0) return 'full_rewrite';
  if (issues.every(({ scope }) => scope === 'missing')) return 'incremental';
  const areLocal = issues.every(({ scope }) => scope === 'local');
  return areLocal && issues.length <= MAX_LOCAL_ISSUES ? 'targeted_edit' : 'full_rewrite';
}

/** Returns the display name of a strategy. */
export function strategyName(strategy: string): string {
  return strategy.replaceAll('_', ' ');
}

/** The model returns the whole new text. */
export const fullRewrite: Strategy & { name: 'full_rewrite' } = {
  name: 'full_rewrite',
  instructions: `You revise a draft. Fix every named issue, keep what is good, and change nothing else. Answer with the whole new text
only, without remarks about what you changed.`,
  form: () => [],
  output: null,
  // Escapes that quoting added to the draft must not be copied into the text.
  read: (draft, response) => ({ ok: true, output: unquote(withoutWrapper(draft, response)) }),
};

/** Tags of the prompt, or a fence for prose, around the whole response. The lookahead keeps the match of many empty lines linear. */
const WRAPPERS = [
  /^\s*<draft>\r?\n?(?<text>[\s\S]*?)\r?\n?<\/draft>\s*$/i,
  /^\s*```(?:markdown|md|text|txt)(?=(\s*\n))\1(?<text>[\s\S]*?)\n```\s*$/i,
];

/** Removes a wrapper that models copy from the prompt or add to a text, unless the draft has it too. */
function withoutWrapper(draft: string, response: string): string {
  for (const wrapper of WRAPPERS) {
    const inside = wrapper.exec(response)?.groups?.text;
    if (inside !== undefined && inside.trim() !== '' && !wrapper.test(draft)) return inside;
  }
  return response;
}

/** All revision strategies by name, in the order they are tried. */
export const STRATEGIES: { readonly [Name in AppliedStrategy]: Strategy & { name: Name } } = {
  full_rewrite: fullRewrite,
  targeted_edit: targetedEdit,
  incremental,
};
