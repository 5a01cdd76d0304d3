import type { PlaygroundCase } from '#components/prompts/playground-case.ts';
import type { TuningCase } from '#lib/core/history.ts';

/** Characters of an input or a reference that the page is sent. */
const LONGEST = 2_000;

/** A case as the playground shows it: names of its metadata for its values, and long texts cut. */
export function shownCase({ position, split, input, reference, tags, metadata }: TuningCase): PlaygroundCase {
  return {
    position,
    split,
    input: input.slice(0, LONGEST),
    reference: reference === null ? null : reference.slice(0, LONGEST),
    tags,
    fields: Object.keys(metadata),
    isCut: input.length > LONGEST || (reference?.length ?? 0) > LONGEST,
  };
}
