import type { Critique, Evaluation, EvaluationIssue, History } from '../history.ts';
import {
  type IssueTokens,
  issueSimilarity,
  issueTokens,
  plainIssueText,
  SAME_ISSUE_SIMILARITY,
} from './issue-similarity.ts';

/** An issue of which it is settled which one it is. */
export type IdentifiedIssue = EvaluationIssue & { id: string };

/** An issue of a run with the wordings it had so far, the latest last. */
type KnownIssue = { id: string; latest: IdentifiedIssue; wordings: Wording[] };
type Wording = { criterion: string | null; plain: string; tokens: IssueTokens };

/** The latest known issues that a new one is compared with by its words; one that has the very same text is found among all. */
const MOST_COMPARED = 200;
/** Wordings of an issue that are kept to compare with: its first one and the latest. */
const MOST_WORDINGS = 6;

/**
 * Says which issues of a run these are. An issue that carries the id of a known one is that one: its judge said so. Else it is a known
 * issue if both are under the same criterion and have the same text, but for case, punctuation and white space, or texts alike by
 * `issueSimilarity`; the most alike go together, each known issue with one text at most. All others are new and get the next ids.
 * Where a judge both said that an issue still stands and named it in other words, its words are kept once.
 */
export function identifyIssues(known: readonly KnownIssue[], issues: readonly EvaluationIssue[]): IdentifiedIssue[] {
  const knownIds = new Set(known.map(({ id }) => id));
  const said = issues.map(({ id }) => (id !== undefined && knownIds.has(id) ? id : null));
  const wordings = issues.map(wordingOf);
  const named = idsByWords(known, wordings, said);
  let next = 1 + Math.max(0, ...known.map(({ id }) => numberOf(id)));
  const fresh = new Map<string, string>();
  return issues.flatMap((issue, place) => {
    const id = said[place] ?? named[place];
    if (id !== null && id !== undefined) return said[place] !== null && named.includes(id) ? [] : [{ ...issue, id }];
    const key = keyOf(wordings[place] ?? wordingOf(issue));
    const ofText = fresh.get(key) ?? `i${next++}`;
    fresh.set(key, ofText);
    return [{ ...issue, id: ofText }];
  });
}

/** The known issues that the words of the unsettled ones name: by the very same text, else by a similar one. */
function idsByWords(
  known: readonly KnownIssue[],
  wordings: readonly Wording[],
  settled: readonly (string | null)[],
): (string | null)[] {
  const byText = new Map(
    known.flatMap(({ id, wordings: earlier }) => earlier.map((wording) => [keyOf(wording), id] as const)),
  );
  const ids = wordings.map((wording, place) => (settled[place] === null ? (byText.get(keyOf(wording)) ?? null) : null));
  const open = wordings.flatMap((wording, place) =>
    settled[place] === null && ids[place] === null ? [{ wording, place }] : [],
  );
  // The same text twice in one list is one issue: its first place is matched, and the others go with it.
  const sameText = Map.groupBy(open, ({ wording }) => keyOf(wording));
  const firsts = [...sameText.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
  const taken = new Set(ids);
  for (const { place, id } of alikePairs(known, firsts)) {
    if (ids[place] !== null || taken.has(id)) continue;
    taken.add(id);
    const wording = wordings[place];
    for (const same of wording === undefined ? [] : (sameText.get(keyOf(wording)) ?? [])) ids[same.place] = id;
  }
  return ids;
}

/** The known issues after these were named. */
export function withNamed(known: readonly KnownIssue[], issues: readonly IdentifiedIssue[]): KnownIssue[] {
  const byId = new Map(known.map((one) => [one.id, one]));
  for (const issue of issues) {
    const wording = wordingOf(issue);
    const before = byId.get(issue.id)?.wordings ?? [];
    const isKnown = before.some((one) => keyOf(one) === keyOf(wording));
    const [first = wording, ...later] = isKnown ? before : [...before, wording];
    // What was named last stands last.
    byId.delete(issue.id);
    byId.set(issue.id, { id: issue.id, latest: issue, wordings: [first, ...later.slice(1 - MOST_WORDINGS)] });
  }
  return [...byId.values()];
}

/**
 * The history with an id for every issue of its evaluations and critiques. Ids that were stored stay; issues without one (of runs from
 * before there were ids, of imports, of functions beside the loop) are matched by `identifyIssues` in the order of the records, so that
 * what comes later changes no earlier id.
 */
export function withIssueIds<Part extends Pick<History, 'evaluations' | 'critiques'>>(history: Part): Part {
  return isIdentified(history) ? history : { ...history, ...identifiedRecords(history).history };
}

/** All issues that were named in a history so far. */
export function knownIssues(history: Pick<History, 'evaluations' | 'critiques'>): KnownIssue[] {
  return identifiedRecords(history).known;
}

type Place = { step: number; kind: 0 | 1; at: number; record: Evaluation | Critique };

function identifiedRecords({ evaluations, critiques }: Pick<History, 'evaluations' | 'critiques'>) {
  const places: Place[] = [
    ...evaluations.map((record, at) => ({ step: record.step, kind: 0 as const, at, record })),
    ...critiques.map((record, at) => ({ step: record.step, kind: 1 as const, at, record })),
  ].sort((one, other) => one.step - other.step || one.kind - other.kind || one.at - other.at);
  const history = { evaluations: [...evaluations], critiques: [...critiques] };
  let known: KnownIssue[] = [];
  for (const { kind, at, record } of places) {
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

function hasId(issue: EvaluationIssue): issue is IdentifiedIssue {
  return issue.id !== undefined;
}

type Pair = { place: number; id: string; likeness: number; age: number };

/** Which issues are similar to which known ones, the most similar first; of equals the one that was named last. */
function alikePairs(known: readonly KnownIssue[], issues: readonly { wording: Wording; place: number }[]): Pair[] {
  const compared = known.slice(-MOST_COMPARED).toReversed();
  return issues
    .flatMap(({ wording, place }) =>
      compared.flatMap(({ id, wordings }, age): Pair[] => {
        const ofCriterion = wordings.filter(({ criterion }) => criterion === wording.criterion);
        const likeness = Math.max(0, ...ofCriterion.map(({ tokens }) => issueSimilarity(tokens, wording.tokens)));
        return likeness < SAME_ISSUE_SIMILARITY ? [] : [{ place, id, likeness, age }];
      }),
    )
    .sort((one, other) => other.likeness - one.likeness || one.age - other.age || one.place - other.place);
}

function wordingOf(issue: EvaluationIssue): Wording {
  return { criterion: issue.criterion, plain: plainIssueText(issue), tokens: issueTokens(issue.text) };
}

function keyOf({ criterion, plain }: Wording): string {
  return JSON.stringify([criterion, plain]);
}

function numberOf(id: string): number {
  return Number(id.slice(1)) || 0;
}
