import type { RunRecord } from '#lib/core/run-record.ts';

type Asked = Pick<NonNullable<RunRecord['waitingFor']>, 'hook' | 'version'>;

/**
 * What waits to be looked at before it is judged, as people call it: `draft v0`, `attempt 2`, `revision v1`. Null at a pause after a
 * judgement, and where an agent wants to use a tool.
 */
export function reviewedName({ hook, version }: Asked, mode: string): string | null {
  switch (hook) {
    case 'onReflection':
    case 'onToolCall':
      return null;
    case 'onGeneration':
      return mode === 'retry' ? `attempt ${version + 1}` : `draft v${version}`;
    case 'onRevision':
      return `${mode === 'tune' ? 'proposal' : 'revision'} v${version}`;
  }
}

/** The same as the beginning of a sentence. */
export function reviewedTitle(asked: Asked, mode: string): string | null {
  const name = reviewedName(asked, mode);
  return name === null ? null : name.charAt(0).toUpperCase() + name.slice(1);
}
