import type { Case, CaseCriteria } from '#lib/core/case.ts';
import { criterionPlaceholderProblems } from '#lib/core/placeholder-problems.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { acceptedAnswers, MAX_ANSWERS } from '#lib/evaluators/accepted-answers.ts';
import { criterionProblem } from '#lib/evaluators/evaluate-output.ts';
import type { ImportReport } from '#lib/formats/import-report.ts';
import { redactLesson } from '#lib/lessons/redact-lesson.ts';
import { yieldToOthers } from '#lib/system/concurrency.ts';
import { inputsHeldOutElsewhere } from './queries.ts';

type Checks = Required<ImportReport['checks']>;

/** Maximum number of lines listed per check. */
const MAX_LINES = 20;
/** Maximum number of cases scanned for secrets. The scan runs many detectors and is slow. */
const MAX_SCANNED_CASES = 500;
const MAX_SCANNED_CHARACTERS = 500_000;

/**
 * Checks new cases, batch by batch, for problems that would distort a measurement or data that should not be stored. Never rejects a case.
 */
export function caseChecker(prisma: Transaction, datasetId: string | null) {
  let characters = 0;
  const datasets = new Set<string>();
  const kinds = new Set<string>();
  const checks: Checks = {
    noReference: 0,
    leaks: { count: 0, lines: [], datasets: [] },
    answersInside: { count: 0, lines: [] },
    tooManyAnswers: { count: 0, lines: [] },
    secrets: { count: 0, lines: [], kinds: [], looked: 0 },
  };
  async function scanForSecrets(line: number, { input, reference }: Case): Promise<void> {
    if (checks.secrets.looked >= MAX_SCANNED_CASES || characters >= MAX_SCANNED_CHARACTERS) return;
    const text = `${input}\n${reference ?? ''}`;
    characters += text.length;
    checks.secrets.looked += 1;
    const { findings } = await redactLesson(text);
    for (const { kind } of findings) kinds.add(kind);
    if (findings.length > 0) recordLine(checks.secrets, line);
  }

  function checkAnswers(line: number, { input, reference }: Case): void {
    if (reference === null) {
      checks.noReference += 1;
      return;
    }
    const answers = acceptedAnswers(reference);
    if (answers.length > MAX_ANSWERS) recordLine(checks.tooManyAnswers, line);
    else if (hasAnswerInInput(input, answers)) recordLine(checks.answersInside, line);
  }

  return {
    async look(part: readonly { line: number; case: Case }[]): Promise<void> {
      const inputs = part.map((one) => one.case.input);
      const leaks = await inputsHeldOutElsewhere(prisma, inputs, datasetId);
      const leaked = new Set(leaks.map(({ input }) => input));
      for (const { name } of leaks) datasets.add(name);
      for (const { line, case: one } of part) {
        if (leaked.has(one.input)) recordLine(checks.leaks, line);
        checkAnswers(line, one);
        await scanForSecrets(line, one);
      }
    },
    checks: (): Checks => ({
      ...checks,
      leaks: { ...checks.leaks, datasets: [...datasets] },
      secrets: { ...checks.secrets, kinds: [...kinds] },
    }),
  };
}

function recordLine(check: { count: number; lines: number[] }, line: number): void {
  check.count += 1;
  if (check.lines.length < MAX_LINES) check.lines.push(line);
}

/** Returns true if the input contains an answer as whole words. Answers under 3 characters are ignored, because they occur by chance. */
function hasAnswerInInput(input: string, answers: readonly string[]): boolean {
  const text = input.toLowerCase();
  return answers.some((one) => hasAnswer(text, one.trim().toLowerCase()));
}

function hasAnswer(text: string, answer: string): boolean {
  if (answer.length < 3) return false;
  for (let at = text.indexOf(answer); at >= 0; at = text.indexOf(answer, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + answer.length] ?? ' '];
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

/** The path of an unusable setting in a case's criteria (`add.0.config.pattern`), and the reason as the end of a sentence. */
type Found = { path: string; message: string };

/**
 * Checks the criteria of cases: patterns, schemas and code must be usable, and variables must be known. A criterion that many cases share
 * is checked once.
 */
export function caseCriteriaChecker(): (criteria: CaseCriteria | null | undefined) => Promise<Found | null> {
  const known = new Map<string, Found | null>();
  return async (criteria) => {
    for (const [position, criterion] of (criteria?.add ?? []).entries()) {
      const key = JSON.stringify(criterion);
      const found = known.has(key) ? (known.get(key) ?? null) : await faultOf(criterion);
      known.set(key, found);
      if (found !== null) return { ...found, path: `add.${position}.${found.path}` };
    }
    return null;
  };
}

async function faultOf(criterion: CaseCriteria['add'][number]): Promise<Found | null> {
  const [placeholder] = criterionPlaceholderProblems(criterion);
  if (placeholder !== undefined) return { path: placeholder.path.join('.'), message: placeholder.message };
  const config = await criterionProblem(criterion);
  return config === null ? null : { path: `config.${config.key}`, message: config.problem };
}

/** Rejects cases whose own criteria cannot be used. `field` returns the path of a case's criteria in the request. */
export async function rejectInvalidCriteria(
  cases: readonly Pick<Case, 'criteria'>[],
  field: (index: number) => string,
): Promise<Result<never> | null> {
  const check = caseCriteriaChecker();
  const yielding = yieldToOthers();
  for (const [index, { criteria }] of cases.entries()) {
    await yielding();
    const found = await check(criteria);
    if (found === null) continue;
    const at = `${field(index)}.${found.path}`;
    return fail('invalid', `${at} ${found.message}.`, at);
  }
  return null;
}
