import { RE2JS, RE2JSException } from 're2js';
import { keepRecent } from '#lib/core/caches.ts';
import type { CriterionOf } from '#lib/core/criterion-schema.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import { type CriterionResult, criterionResult, type Evaluator, problemAt, unscored } from './evaluator.ts';

/** Maximum program size. Matching is linear in the text, but larger programs would take seconds on long texts. */
const MAX_PROGRAM_SIZE = 1_000;

type CompiledPattern = { ok: true; pattern: RE2JS } | { ok: false; problem: string };

/** Cache of recent patterns, because a run uses the same ones for every version. */
const known = new Map<string, CompiledPattern>();
const MAX_CACHED_PATTERNS = 200;

/** Compiles a pattern in RE2 syntax, or returns the problem. Flags: `i` ignore case, `m` multi-line, `s` dot matches line breaks. */
export function compilePattern(pattern: string, flags = ''): CompiledPattern {
  const key = JSON.stringify([flags, pattern]);
  return keepRecent(known, key, known.get(key) ?? compile(pattern, flags), MAX_CACHED_PATTERNS);
}

function compile(pattern: string, flags: string): CompiledPattern {
  const unknown = flags.replace(/[ims]/g, '');
  if (unknown !== '')
    return { ok: false, problem: `has the unknown flag ${JSON.stringify(unknown)} (flags are i, m and s)` };
  try {
    const compiled = RE2JS.compile(
      pattern,
      (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
        (flags.includes('m') ? RE2JS.MULTILINE : 0) |
        (flags.includes('s') ? RE2JS.DOTALL : 0),
    );
    const size = compiled.programSize();
    if (size <= MAX_PROGRAM_SIZE) return { ok: true, pattern: compiled };
    const problem = `is too large: its repeats unfold to ${size} steps, at most ${MAX_PROGRAM_SIZE} are allowed`;
    return { ok: false, problem };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const message = error.message.replace(/^error parsing regexp:\s*/, '');
    const hint = /Perl syntax|escape sequence/.test(message)
      ? ' (look-around and back-references are not supported: patterns run in linear time)'
      : '';
    return { ok: false, problem: `does not compile: ${message}${hint}` };
  }
}

/** Returns why a pattern can't be used, as the end of a sentence ("does not compile: …"), or null if it can. */
export function patternProblem(pattern: string, flags?: string): string | null {
  const compiled = compilePattern(pattern, flags);
  return compiled.ok ? null : compiled.problem;
}

/** Non-overlapping matches from the left: their count, and the last one (its first group, or all of it). */
type Matches = { ok: true; count: number; last: string | null } | { ok: false; reason: string };

/** Maximum work per search, as text length times pattern size. Takes well under a second. */
const MAX_WORK = 10_000_000;
const MAX_TIME_MS = 1_000;

/**
 * Finds up to `limit` matches. Each search is linear in the text, but with some patterns many searches each read to the end. Fails with a
 * reason if the text is too long for the pattern, or after one second.
 */
export function findMatches(pattern: RE2JS, text: string, limit = Number.POSITIVE_INFINITY): Matches {
  const tooMuch = tooMuchWork(pattern, text);
  if (tooMuch !== null) return tooMuch;
  const matcher = pattern.matcher(text);
  const startedAt = performance.now();
  let count = 0;
  let last: string | null = null;
  while (count < limit && matcher.find()) {
    count++;
    last = (matcher.groupCount() > 0 ? matcher.group(1) : null) ?? matcher.group(0);
    if (performance.now() - startedAt > MAX_TIME_MS) {
      return { ok: false, reason: 'the pattern takes too long on this output' };
    }
  }
  return { ok: true, count, last };
}

/** Checks if a pattern matches at least once, which is faster than counting matches. */
export function isFound(pattern: RE2JS, text: string): Matches {
  const tooMuch = tooMuchWork(pattern, text);
  return tooMuch ?? { ok: true, count: pattern.test(text) ? 1 : 0, last: null };
}

function tooMuchWork(pattern: RE2JS, text: string): Extract<Matches, { ok: false }> | null {
  if (text.length * pattern.programSize() <= MAX_WORK) return null;
  return { ok: false, reason: `the output (${text.length} characters) is too long for this pattern` };
}

/**
 * Scores 1 or 0 with a pattern. Without bounds it must match at least once. With `min` or `max`, the number of matches must be in that
 * range. `mustMatch: false` inverts the result.
 */
export const regexEvaluator: Evaluator<'regex'> = {
  kind: 'regex',
  async evaluate({ criteria, output }) {
    return { ok: true, results: criteria.map((criterion) => judge(criterion, output)), spend: NO_SPEND };
  },
  async problem({ pattern, flags }) {
    return problemAt('pattern', patternProblem(pattern, flags));
  },
};

function judge(criterion: CriterionOf<'regex'>, output: string): CriterionResult {
  const { pattern, flags, mustMatch } = criterion.config;
  const compiled = compilePattern(pattern, flags);
  if (!compiled.ok) return unscored(criterion.name, `The pattern ${compiled.problem}.`);
  const { min, max } = boundsOf(criterion);
  const limit = max === null ? Math.max(min, 1) : max + 1;
  const found = limit === 1 ? isFound(compiled.pattern, output) : findMatches(compiled.pattern, output, limit);
  if (!found.ok) return unscored(criterion.name, `Not scored: ${found.reason}.`);
  const within = found.count >= min && (max === null || found.count <= max);
  const passed = within === mustMatch;
  const rule = ruleText(criterion, min, max);
  const reason = `${passed ? 'Holds' : 'Fails'}: the text ${rule}.`;
  const description = criterion.description.trim() || `the text ${rule}`;
  return criterionResult({
    criterion: criterion.name,
    score: passed ? 1 : 0,
    reason,
    issues: passed ? [] : [{ criterion: criterion.name, text: `Not met: ${description}` }],
    feedback: `${criterion.name}: ${passed ? 'met' : `not met: ${description}`}`,
    detail: max === null ? reason : `${reason} Found ${found.count > max ? `more than ${max}` : found.count}.`,
  });
}

function boundsOf({ config }: CriterionOf<'regex'>): { min: number; max: number | null } {
  if (config.min === undefined && config.max === undefined) return { min: 1, max: null };
  return { min: config.min ?? 0, max: config.max ?? null };
}

function ruleText({ config }: CriterionOf<'regex'>, min: number, max: number | null): string {
  const shown = `/${config.pattern}/${config.flags ?? ''}`;
  const must = config.mustMatch ? 'must' : 'must not';
  if (config.min === undefined && config.max === undefined) return `${must} match ${shown}`;
  return `${must} match ${shown} ${howOften(min, max)} times`;
}

function howOften(min: number, max: number | null): string {
  if (max === null) return `at least ${min}`;
  if (min === 0) return `at most ${max}`;
  return min === max ? `exactly ${min}` : `${min} to ${max}`;
}
