import { spawnSync } from 'node:child_process';

/** Only commits after this one are checked. */
const LAST_UNCHECKED = '81a5d70925e4f2e53f9c61a083ce24594c1c234f';
const LONGEST = 72;
const TYPES = 'build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test';
const CONVENTIONAL = new RegExp(`^(${TYPES})(\\([a-z0-9-]+(,[a-z0-9-]+)*\\))?!?: \\S.*[^.\\s]$`);

/** Returns the style problems of a commit subject. Empty if there are none. */
export function lintSubject(subject: string): string[] {
  const length = [...subject].length;
  return [
    ...(CONVENTIONAL.test(subject)
      ? []
      : ['is not a Conventional Commit such as "fix(webhooks): report the decider once"']),
    ...(length > LONGEST ? [`has ${length} characters, more than ${LONGEST}`] : []),
  ];
}

/** Returns the subjects to check, or the reason for skipping: a copy without git, or a shallow clone. */
export function readSubjects(folder: string): { subjects: string[] } | { skipped: string } {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  const known = git('cat-file', '-e', `${LAST_UNCHECKED}^{commit}`);
  if (known.error !== undefined) return { skipped: 'git is not installed' };
  if (known.status !== 0) return { skipped: 'this copy has no git history, or a shallow one' };
  const log = git('log', '--no-merges', '--format=%s', `${LAST_UNCHECKED}..HEAD`);
  if (log.status !== 0) return { skipped: `git log failed: ${log.stderr.trim()}` };
  return { subjects: log.stdout.split('\n').filter((subject) => subject !== '') };
}
