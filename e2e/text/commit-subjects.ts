import { spawnSync } from 'node:child_process';

/** The commits after this one are checked. */
const LAST_UNCHECKED = '81a5d70925e4f2e53f9c61a083ce24594c1c234f';
const LONGEST = 72;
const TYPES = 'build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test';
const CONVENTIONAL = new RegExp(`^(${TYPES})(\\([a-z0-9-]+(,[a-z0-9-]+)*\\))?!?: \\S.*[^.\\s]$`);

/** What is wrong with the subject of a commit; empty if nothing is. */
export function lintSubject(subject: string): string[] {
  const length = [...subject].length;
  return [
    ...(CONVENTIONAL.test(subject)
      ? []
      : ['is not a Conventional Commit such as "fix(webhooks): report the decider once"']),
    ...(length > LONGEST ? [`has ${length} characters, more than ${LONGEST}`] : []),
  ];
}

/** The subjects to check, or why there are none: a copy without git, or a shallow clone. */
export function readSubjects(folder: string): { subjects: string[] } | { skipped: string } {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  const known = git('cat-file', '-e', `${LAST_UNCHECKED}^{commit}`);
  if (known.error !== undefined) return { skipped: 'git is not installed' };
  if (known.status !== 0) return { skipped: 'this copy has no git history, or a shallow one' };
  const log = git('log', '--no-merges', '--format=%s', `${LAST_UNCHECKED}..HEAD`);
  if (log.status !== 0) return { skipped: `git log failed: ${log.stderr.trim()}` };
  return { subjects: log.stdout.split('\n').filter((subject) => subject !== '') };
}
