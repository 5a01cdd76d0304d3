import type { Critique, Evaluation, EvaluationIssue, History } from '../history.ts';
import { plainWords } from '../text-values.ts';
import { type IssueTokens, issueSimilarity, issueTokens, SAME_ISSUE_SIMILARITY } from './issue-similarity.ts';

/** An issue with its final id. */
export type IdentifiedIssue = EvaluationIssue & { id: string };

/** An issue of a run with its wordings so far, the latest last. */
type KnownIssue = { id: string; latest: IdentifiedIssue; wordings: Wording[] };
type Wording = { criterion: string | null; plain: string; tokens: IssueTokens };

/** Maximum number of latest known issues that a new issue is compared with by similarity. Identical texts are matched among all. */
const MAX_COMPARED_ISSUES = 200;
/** Maximum wordings of an issue that are kept for comparison: the first one and the latest. */
const MAX_WORDINGS = 6;

/**
 * Matches issues of a run with the known ones. An issue with the id of a known one is that one, because its judge decided so. Else both
 * must have the same criterion and either the same text, ignoring case, punctuation and white space, or similar texts by `issueSimilarity`.
 * The most similar pairs are matched first, each known issue with at most one text. All others are new and get the next ids. If a judge
 * both confirmed an open issue and reworded it, it is returned once.
 */
export function identifyIssues(known: readonly KnownIssue[], issues: readonly EvaluationIssue[]): IdentifiedIssue[] {
  const knownIds = new Set(known.map(({ id }) => id));
  const settled = issues.map(({ id }) => (id !== undefined && knownIds.has(id) ? id : null));
  const wordings = issues.map(wordingOf);
  const named = idsByWords(known, wordings, settled);
  let next = 1 + Math.max(0, ...known.map(({ id }) => numberOf(id)));
  const fresh = new Map<string, string>();
  return issues.flatMap((issue, index) => {
    const id = settled[index] ?? named[index];
    if (id !== null && id !== undefined) return settled[index] !== null && named.includes(id) ? [] : [{ ...issue, id }];
    const key = keyOf(wordings[index] ?? wordingOf(issue));
    const ofText = fresh.get(key) ?? `i${next++}`;
    fresh.set(key, ofText);
    return [{ ...issue, id: ofText }];
  });
}

/** Returns the known issues that match the unsettled ones by text: identical, else similar. */
function idsByWords(
  known: readonly KnownIssue[],
  wordings: readonly Wording[],
  settled: readonly (string | null)[],
): (string | null)[] {
  const byText = new Map(
    known.flatMap(({ id, wordings: earlier }) => earlier.map((wording) => [keyOf(wording), id] as const)),
  );
  const ids = wordings.map((wording, index) => (settled[index] === null ? (byText.get(keyOf(wording)) ?? null) : null));
  const open = wordings.flatMap((wording, index) =>
    settled[index] === null && ids[index] === null ? [{ wording, index }] : [],
  );
  // Identical texts in one list are one issue. The first one is matched, and the others get the same id.
  const sameText = Map.groupBy(open, ({ wording }) => keyOf(wording));
  const firsts = [...sameText.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
  const usedIds = new Set(ids);
  for (const { index, id } of alikePairs(known, firsts)) {
    if (ids[index] !== null || usedIds.has(id)) continue;
    usedIds.add(id);
    const wording = wordings[index];
    for (const same of wording === undefined ? [] : (sameText.get(keyOf(wording)) ?? [])) ids[same.index] = id;
  }
  return ids;
}

/** Returns the known issues, updated with the named ones. */
export function withNamed(known: readonly KnownIssue[], issues: readonly IdentifiedIssue[]): KnownIssue[] {
  const byId = new Map(known.map((one) => [one.id, one]));
  for (const issue of issues) {
    const wording = wordingOf(issue);
    const before = byId.get(issue.id)?.wordings ?? [];
    const isKnown = before.some((one) => keyOf(one) === keyOf(wording));
    const [first = wording, ...later] = isKnown ? before : [...before, wording];
    // The most recently named issue is last.
    byId.delete(issue.id);
    byId.set(issue.id, { id: issue.id, latest: issue, wordings: [first, ...later.slice(1 - MAX_WORDINGS)] });
  }
  return [...byId.values()];
}

/**
 * Returns the history with an id for every issue of its evaluations and critiques. Stored ids do not change. Issues without one (from runs
 * before ids existed, imports, and functions outside the loop) are matched by `identifyIssues` in record order, so later records never
 * change earlier ids.
 */
export function withIssueIds<Part extends Pick<History, 'evaluations' | 'critiques'>>(history: Part): Part {
  return isIdentified(history) ? history : { ...history, ...identifiedRecords(history).history };
}

/** Returns all issues that were named in a history so far. */
export function knownIssues(history: Pick<History, 'evaluations' | 'critiques'>): KnownIssue[] {
  return identifiedRecords(history).known;
}

type IssueSource = { step: number; kind: 0 | 1; at: number; record: Evaluation | Critique };

function identifiedRecords({ evaluations, critiques }: Pick<History, 'evaluations' | 'critiques'>) {
  const sources: IssueSource[] = [
    ...evaluations.map((record, at) => ({ step: record.step, kind: 0 as const, at, record })),
    ...critiques.map((record, at) => ({ step: record.step, kind: 1 as const, at, record })),
  ].sort((one, other) => one.step - other.step || one.kind - other.kind || one.at - other.at);
  const history = { evaluations: [...evaluations], critiques: [...critiques] };
  let known: KnownIssue[] = [];
  for (const { kind, at, record } of sources) {
    const issues = record.issues.every(hasId) ? record.issues.filter(hasId) : identifyIssues(known, record.issues);
    known = issues.length === 0 ? known : withNamed(known, issues);
    const list: (Evaluation | Critique)[] = kind === 0 ? history.evaluations : history.critiques;
    list[at] = { ...record, issues };
  }
  return { history, known };
}

function isIdentified({ evaluations, critiques }: Pick<History, 'evaluations' | 'critiques'>): boolean {
  return [...evaluations, ...critiques].every(({ issues }) => issues.every(hasId));
}

export function hasId(issue: EvaluationIssue): issue is IdentifiedIssue {
  return issue.id !== undefined;
}

type Pair = { index: number; id: string; similarity: number; age: number };

/** Returns pairs of issues and similar known ones, the most similar first. Ties go to the most recently named one. */
function alikePairs(known: readonly KnownIssue[], issues: readonly { wording: Wording; index: number }[]): Pair[] {
  const compared = known.slice(-MAX_COMPARED_ISSUES).toReversed();
  return issues
    .flatMap(({ wording, index }) =>
      compared.flatMap(({ id, wordings }, age): Pair[] => {
        const ofCriterion = wordings.filter(({ criterion }) => criterion === wording.criterion);
        const similarity = Math.max(0, ...ofCriterion.map(({ tokens }) => issueSimilarity(tokens, wording.tokens)));
        return similarity < SAME_ISSUE_SIMILARITY ? [] : [{ index, id, similarity, age }];
      }),
    )
    .sort((one, other) => other.similarity - one.similarity || one.age - other.age || one.index - other.index);
}

function wordingOf(issue: EvaluationIssue): Wording {
  return { criterion: issue.criterion, plain: plainWords(issue.text), tokens: issueTokens(issue.text) };
}

function keyOf({ criterion, plain }: Wording): string {
  return JSON.stringify([criterion, plain]);
}

function numberOf(id: string): number {
  return Number(id.slice(1)) || 0;
}
