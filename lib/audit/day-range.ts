/** Whole days by UTC as moments: `from` is included, `to` is not; null: no bound. */
export type DayRange = { from: Date | null; to: Date | null };

/** What is wrong with the two days, by field. */
export type DayProblems = { from: string | null; to: string | null };

const DAY_MS = 86_400_000;

/**
 * Reads two days as a form or an address has them (`2026-01-31`; null: not given), the last one whole. Answers what is wrong where one is
 * no day, or the last is before the first.
 */
export function readDayRange(
  first: string | null,
  last: string | null,
): { ok: true; range: DayRange } | { ok: false; problems: DayProblems } {
  const from = first === null ? null : readDay(first);
  const to = last === null ? null : readDay(last);
  const problems = { from: dayProblem(first, from), to: dayProblem(last, to) };
  if (from !== null && to !== null && to < from)
    problems.to = `must not be before the first day (${first}): swap the two, or leave one out`;
  if (problems.from !== null || problems.to !== null) return { ok: false, problems };
  return { ok: true, range: { from, to: to === null ? null : new Date(to.getTime() + DAY_MS) } };
}

/** Null where it is no day of the calendar: 30 February is none. */
function readDay(text: string): Date | null {
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : null;
}

function dayProblem(given: string | null, day: Date | null): string | null {
  if (given === null || day !== null) return null;
  return `must be a day from 1000 to 2999, written as 2026-01-31, got ${JSON.stringify(given.slice(0, 40))}`;
}
