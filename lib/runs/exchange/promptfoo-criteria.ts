import type { PromptfooCase } from './promptfoo-cases.ts';
import type { PromptfooAssertion } from './promptfoo-config.ts';

/** A criterion as an experiment takes it. */
export type DraftedCriterion = {
  name: string;
  description: string;
  weight: number;
  /** Null where promptfoo leaves it to the grader: the overall threshold decides. */
  threshold: number | null;
  evaluator: 'llm' | 'regex' | 'reference' | 'json_schema';
  config: Record<string, unknown>;
};
export type PromptfooCriteria = { cases: PromptfooCase['case'][]; criteria: DraftedCriterion[]; notTaken: string[] };

/**
 * What the assertions say, as criteria and references. An assertion that every case has alike becomes a criterion; the expected answers of
 * single cases (`equals`, `contains`, `icontains`) become their references, of the kind that most cases have. All else is named.
 */
export function promptfooCriteria(all: readonly PromptfooCase[]): PromptfooCriteria {
  const notTaken = new Map<string, number>();
  const leave = (words: string, count = 1) => notTaken.set(words, (notTaken.get(words) ?? 0) + count);
  const counts = new Map<string, { assertion: PromptfooAssertion; cases: number }>();
  for (const { assertions } of all)
    for (const key of new Set(assertions.map((one) => JSON.stringify(one)))) {
      const assertion = assertions.find((one) => JSON.stringify(one) === key);
      const before = counts.get(key)?.cases ?? 0;
      if (assertion !== undefined) counts.set(key, { assertion, cases: before + 1 });
    }
  const criteria: DraftedCriterion[] = [];
  const shared = new Set<string>();
  for (const [key, { assertion, cases }] of counts) {
    if (cases < all.length || (all.length === 1 && expectedOf(assertion) !== null)) continue;
    shared.add(key);
    const made = criterionOf(assertion);
    if (typeof made === 'string') leave(`assert ${assertion.type}: ${made}`);
    else criteria.push(named(made, assertion, criteria));
  }

  const answers = all.map(({ assertions }) =>
    assertions.filter((one) => !shared.has(JSON.stringify(one)) && expectedOf(one) !== null),
  );
  const kind = mostCommon(answers.flatMap((of) => (of[0] ? [of[0].type] : [])));
  let referenced = 0;
  const cases = all.map((one, at) => {
    const reference = answers[at]?.find(({ type }) => type === kind);
    for (const other of one.assertions) {
      if (shared.has(JSON.stringify(other)) || other === reference) continue;
      leave(
        `assert ${other.type}: ${expectedOf(other) === null ? 'differs from case to case' : 'a second expected answer'}`,
      );
    }
    if (reference === undefined) return one.case;
    referenced += 1;
    return { ...one.case, reference: expectedOf(reference) };
  });
  if (kind !== null) {
    const first = answers.flat().find(({ type }) => type === kind);
    if (referenced === all.length && first !== undefined)
      criteria.unshift(named(REFERENCE[kind] ?? REFERENCE.equals, first, criteria));
    else leave(`assert ${kind} as a criterion: ${all.length - referenced} cases have no expected answer`);
  }
  const words = Array.from(notTaken, ([what, count]) => (count > 1 ? `${what} (${count} times)` : what));
  return { cases, criteria, notTaken: words };
}

type Made = Pick<DraftedCriterion, 'evaluator' | 'config'> & { description: string };

const EXACT: Made = {
  evaluator: 'reference',
  config: { match: 'exact', normalize: 'trim' },
  description: 'The output equals the reference.',
};
const REFERENCE: Record<string, Made> & { equals: Made } = {
  equals: EXACT,
  contains: {
    evaluator: 'reference',
    config: { match: 'contains', normalize: 'none' },
    description: 'The output contains the reference.',
  },
  icontains: {
    evaluator: 'reference',
    config: { match: 'contains', normalize: 'lower' },
    description: 'The output contains the reference, in capitals or not.',
  },
};

/** The expected answer that an assertion names; null where it names none. */
function expectedOf({ type, value }: PromptfooAssertion): string | null {
  if (!(type in REFERENCE) || !Object.hasOwn(REFERENCE, type)) return null;
  if (typeof value === 'string')
    return value === '' || value.includes('{{') || /^(?:file|python|javascript):/.test(value) ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** The criterion that says what an assertion says, or why there is none. */
function criterionOf({ type, value }: PromptfooAssertion): Made | string {
  const isNegated = type.startsWith('not-');
  const kind = isNegated ? type.slice('not-'.length) : type;
  const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
  const [text] = texts;
  if (texts.some((one) => one.includes('{{') || one.startsWith('file://'))) return 'its value is a template or a file';
  const pattern = (of: string, flags: string, words: string): Made => ({
    evaluator: 'regex',
    config: { pattern: of, ...(flags === '' ? {} : { flags }), mustMatch: !isNegated },
    description: `The output ${isNegated ? 'does not match' : 'matches'}: ${words}`.slice(0, 1_000),
  });
  switch (kind) {
    case 'equals':
      return text === undefined ? NO_TEXT : pattern(`^\\s*${escaped(text)}\\s*$`, '', text);
    case 'contains':
      return text === undefined ? NO_TEXT : pattern(escaped(text), '', text);
    case 'icontains':
      return text === undefined ? NO_TEXT : pattern(escaped(text), 'i', text);
    case 'contains-any':
    case 'icontains-any':
      return texts.length === 0
        ? NO_TEXT
        : pattern(texts.map(escaped).join('|'), kind.startsWith('i') ? 'i' : '', `one of ${texts.join(', ')}`);
    case 'starts-with':
      return text === undefined ? NO_TEXT : pattern(`^${escaped(text)}`, '', `${text} at its beginning`);
    case 'regex':
      return text === undefined ? NO_TEXT : pattern(text, '', text);
    case 'is-json':
      if (isNegated) return 'only the assertion itself is taken, not its opposite';
      return {
        evaluator: 'json_schema',
        config: { schema: typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {} },
        description: 'The output is JSON of the right form.',
      };
    case 'llm-rubric':
    case 'model-graded-closedqa':
    case 'g-eval':
      if (isNegated) return 'only the assertion itself is taken, not its opposite';
      return text === undefined
        ? NO_TEXT
        : { evaluator: 'llm', config: { rubric: texts.join('\n') }, description: texts.join(' ').slice(0, 1_000) };
    default:
      return 'there is no criterion of this kind';
  }
}

const NO_TEXT = 'its value is no text';

function named(
  made: Made,
  { type, metric, weight, threshold }: PromptfooAssertion,
  before: readonly DraftedCriterion[],
): DraftedCriterion {
  const base =
    (metric ?? type)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 40) || 'check';
  const taken = new Set(before.map(({ name }) => name));
  let name = base;
  for (let at = 2; taken.has(name); at++) name = `${base}_${at}`;
  const isGraded = made.evaluator === 'llm';
  return {
    ...made,
    name,
    weight: weight === undefined ? 1 : Math.min(100, Math.max(0, weight)),
    threshold: isGraded ? ownThreshold(threshold) : 1,
  };
}

function ownThreshold(threshold: number | undefined): number | null {
  return threshold === undefined ? null : Math.min(1, Math.max(0, threshold));
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function mostCommon(kinds: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}
