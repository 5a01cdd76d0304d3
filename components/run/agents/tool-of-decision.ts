import type { RunRecord } from '#lib/core/run-record.ts';

/** The tool whose use a decision speaks of; undefined where it speaks of none, or its turn is not known. */
export function toolOfDecision(
  { turns }: Pick<RunRecord, 'turns'>,
  { toolCallId, seen, version }: Pick<RunRecord['decisions'][number], 'toolCallId' | 'seen' | 'version'>,
): string | undefined {
  if (toolCallId === null) return undefined;
  const towards = seen?.versions ?? version;
  return turns
    .filter((turn) => turn.version === towards)
    .flatMap(({ calls }) => calls)
    .find(({ id }) => id === toolCallId)?.tool;
}
