import type { Split } from '#lib/core/history.ts';

/** A case of the dataset as the playground shows it: `fields` names what its metadata holds; long texts are cut (`isCut`). */
export type PlaygroundCase = {
  position: number;
  split: Split;
  input: string;
  reference: string | null;
  tags: string[];
  fields: string[];
  isCut: boolean;
};
