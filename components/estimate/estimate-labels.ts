import type { Range } from '#lib/estimates/assumed-call.ts';
import type { EstimateBasis, RunEstimate } from '#lib/estimates/estimate-run.ts';
import { formatCost, formatCount, formatDuration, formatList, formatMoney, formatNumberOf } from '#lib/format.ts';

/** Row of the estimate table. Both values are equal if the estimate is exact. */
type EstimateRow = { name: string; lowest: string; highest: string };

/** Returns the rows of the estimate table. */
export function estimateRows({ calls, tokens, costUsd, timeMs, unpricedModels }: RunEstimate): EstimateRow[] {
  const unpriced = unpricedModels.length > 0;
  const row = (name: string, { lowest, highest }: Range, format: (value: number) => string): EstimateRow => ({
    name,
    lowest: format(lowest),
    highest: format(highest),
  });
  return [
    row('Calls', calls, formatCount),
    row('Tokens', tokens, formatCount),
    row('Cost', costUsd, (usd) => formatCost(usd, unpriced)),
    row('Time', timeMs, formatDuration),
  ];
}

/** Returns the notes on an estimate: its basis, the models it excludes, and the budgets that would end runs. */
export function estimateNotes(estimate: RunEstimate): string[] {
  return [basisLabel(estimate), ...unpricedLabel(estimate), ...budgetLabel(estimate)];
}

const BASES = ['experiment', 'model', 'text'] as const;

function basisLabel({ roles }: RunEstimate): string {
  const sentences = BASES.flatMap((basis) => {
    const of = roles.filter((role) => role.basis === basis);
    if (of.length === 0) return [];
    const names =
      of.length === roles.length
        ? ''
        : ` (${formatList([...new Set(of.map(({ role }) => ROLE_LABELS[role] ?? role))])})`;
    const n = of.reduce((sum, role) => sum + role.n, 0);
    return `${sourceLabel(basis, n)}${names}`;
  });
  return `Estimated ${formatList(sentences)}.`;
}

function sourceLabel(basis: EstimateBasis, n: number): string {
  const texts: Record<typeof basis, string> = {
    experiment: `from ${formatNumberOf(n, 'past call')} of this experiment`,
    model: `from ${formatNumberOf(n, 'past call')} of the same model elsewhere`,
    text: 'based on text lengths, so the range is wide',
  };
  return texts[basis];
}

function unpricedLabel({ unpricedModels }: RunEstimate): string[] {
  if (unpricedModels.length === 0) return [];
  return [
    `There is no price for ${formatList(unpricedModels)}, so its cost is not included. Set a price under Models.`,
  ];
}

function budgetLabel({ budgets, runs }: RunEstimate): string[] {
  return budgets.flatMap(({ budget, limit, cuts, blind }) => {
    const name = `The budget of ${limitLabel(budget, limit)} a run`;
    const ends = endLabel(cuts, runs);
    return [
      ...(blind ? [`${name} does not count calls without a price.`] : []),
      ...(ends === null ? [] : [`${name} would end ${ends}.`]),
    ];
  });
}

function endLabel(cuts: RunEstimate['budgets'][number]['cuts'], runs: number): string | null {
  const texts: Record<typeof cuts, string | null> = {
    all: `${runs === 1 ? 'the run' : 'every run'} early, even at the lowest`,
    some: `${runs === 1 ? 'a long run' : 'long runs'} before the cap`,
    none: null,
  };
  return texts[cuts];
}

function limitLabel(budget: RunEstimate['budgets'][number]['budget'], limit: number): string {
  const texts: Record<typeof budget, string> = {
    calls: formatNumberOf(limit, 'call'),
    tokens: formatNumberOf(limit, 'token'),
    cost: formatMoney(limit),
    time: formatDuration(limit * 1000),
  };
  return texts[budget];
}

const ROLE_LABELS: Record<string, string> = {
  generate: 'drafts',
  evaluate: 'judging',
  reflect: 'critiques',
  revise: 'revisions',
  lesson: 'lessons',
  lesson_check: 'lesson checks',
  embed: 'vectors',
  try: 'answers',
  judge: 'judging',
  turn: 'turns of agents',
};
