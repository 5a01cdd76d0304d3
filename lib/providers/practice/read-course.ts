/** One version of a run's course, as a prompt tells it. */
export type CourseVersion = {
  origin: string;
  score: number | null;
  issues: string[];
  /** What people decided on it, and the guidance or reason they gave, where they gave any. */
  decisions: { decision: string; said: string }[];
  output: string;
};

/** Reads the versions out of the course of a run, in order. */
export function readCourse(part: string | undefined): CourseVersion[] {
  const versions: CourseVersion[] = [];
  for (const line of (part ?? '').split('\n')) {
    const origin = /^Version \d+, (\w+)/.exec(line)?.[1];
    if (origin !== undefined) versions.push({ origin, score: null, issues: [], decisions: [], output: '' });
    const last = versions.at(-1);
    if (last === undefined) continue;
    const score = /^Score: \S+ -> (\d\.\d+)$/.exec(line)?.[1];
    if (score !== undefined) last.score = Number(score);
    const issue = /^Issue: (.*)$/.exec(line)?.[1];
    if (issue !== undefined) last.issues.push(issue);
    const [, decision, said] = /^Decision by (?:person|webhook|code): (\w+)[^:]*: (.+)$/.exec(line) ?? [];
    if (decision !== undefined && said !== undefined) last.decisions.push({ decision, said });
    const text = /^ {2}(.*)$/.exec(line)?.[1];
    if (text !== undefined) last.output = last.output === '' ? text : `${last.output}\n${text}`;
  }
  return versions;
}
