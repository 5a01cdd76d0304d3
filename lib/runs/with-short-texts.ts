import type { RunRecord } from '#lib/core/run-record.ts';

/** Characters of what a tool answered that a page is given before it asks for all. */
export const SHORT_TEXT = 1_000;

/** The run with the answers of tools cut to their beginnings, `length` says how much there is: hundreds of them are megabytes. */
export function withShortTexts(record: RunRecord): RunRecord {
  return {
    ...record,
    observations: record.observations.map((observation) => ({
      ...observation,
      text: observation.text.slice(0, SHORT_TEXT).toWellFormed(),
    })),
  };
}
