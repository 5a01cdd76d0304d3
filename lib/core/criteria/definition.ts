import type { CriterionOf, EvaluatorKind } from '#lib/core/criterion-schema.ts';

type CodeExample = { name: string; code: string };

/** Entries of a config while it is edited: texts as typed. A list is a text with one item per line. */
export type ConfigEntries = Record<string, string | boolean>;

/**
 * A form field for a key of a criterion's config. `optional`: an empty entry is omitted from the config. `columns`: adjacent fields with
 * the same number share a row. `forJudge`: variables are filled in, and unknown ones are reported. Texts in backticks are shown as code.
 */
export type ConfigField = {
  label: string;
  help?: string;
  columns?: 2 | 3;
  /** Returns true if the field applies with the other entries. A hidden field is omitted from the config, unless `keptWhileHidden`. */
  isShown?(entries: ConfigEntries): boolean;
  keptWhileHidden?: true;
} & (
  | { type: 'text' | 'webhook'; optional?: true }
  | { type: 'textarea'; rows: number; optional?: true; forJudge?: true; foldedUnder?: string }
  /** Omitted if empty. */
  | { type: 'number' }
  /** The first option is the default. With `emptyLabel`, the default is none, which is omitted. */
  | {
      type: 'select';
      options: readonly { value: string; label: string; help?: string }[];
      emptyLabel?(entries: ConfigEntries): string;
    }
  | { type: 'checkbox'; initially: boolean }
  | { type: 'code'; language: 'javascript' | 'python'; examples: readonly CodeExample[] }
  | { type: 'json'; examples: readonly CodeExample[] }
  /** Single-line texts. */
  | { type: 'list'; example: string; forJudge?: true }
);

/** A text of a criterion that is sent to a judge, and its path in the criterion. */
export type JudgeText = { path: (string | number)[]; text: string };

/** Input that a criterion needs from a case: any reference, or a numeric one. */
export type ReferenceLack = 'reference' | 'number';

/**
 * Properties of an evaluator kind, except its evaluation. Omitted flags are false. Declared as methods, not function properties, so that a
 * kind's own definition is assignable to one of any config.
 */
export type CriterionDefinition<Config = Record<string, unknown>> = {
  /** Label as an option of "Scored by". */
  label: string;
  /** Label next to a score. */
  name: string;
  /** Returns the summary of a criterion of this kind in a list of settings. */
  summary(config: Config): string;
  /** Returns the long text that the criterion scores with, as entered. */
  longText?(config: Config): string | null;
  fields: { readonly [Key in keyof Required<Config>]: ConfigField };
  /** Help below the fields. Texts in backticks are shown as code. */
  note?(entries: ConfigEntries): string;
  /** Present if a model judges. The judge always receives the description. */
  judge?: {
    /** Returns the texts sent to the judge in addition to the description. */
    texts?(config: Config): JudgeText[];
    /** Returns variables that are hidden from this judge but not from others. */
    withholds?(config: Config): string[];
    /** The judge reports which issues of earlier versions are still open. */
    knowsOpenIssues?: true;
    /** Its reasons are passed to the critic. */
    explains?: true;
    /** One call scores all criteria of the kind. */
    sharesCall?: true;
  };
  /** Number of model calls per criterion. */
  calls?(config: Config): number;
  /** True if it uses the embedding model of the settings. */
  embeds?(config: Config): boolean;
  /** Returns the earlier version to compare the output with, or null. */
  comparesWith?(config: Config): 'previous' | 'best' | null;
  /** True if it compares with the reference of the case, regardless of its texts. */
  usesReference?(config: Config): boolean;
  /** Returns the input without which it cannot score any output of a case with this reference, or null. */
  lacks?(config: Config, reference: string | null): ReferenceLack | null;
  /** Returns when its score is known to be correct: always, only for cases with a reference, or never. */
  knowsAnswer?(config: Config): 'always' | 'with_reference' | 'never';
  /** Returns the name of the webhook that scores. */
  webhook?(config: Config): string;
  /** The run waits for a person's score. */
  waitsForPerson?: true;
  /** It runs Python, which an owner has to allow. */
  runsPython?: true;
  /** Remedy if a run failed because this kind returned no score. */
  remedy?: string;
};

/** Defines an evaluator kind, typed by the config of the kind. */
export function defineCriterion<const Kind extends EvaluatorKind>(
  definition: { kind: Kind } & CriterionDefinition<CriterionOf<Kind>['config']>,
) {
  return definition;
}

/** Remedy if a judge returned no score. */
export const JUDGE_REMEDY =
  'Open the calls to see the response of the judge. Resuming sends the request again. If the judge keeps failing, choose another judge in the settings and start a new run.';
/** Remedy if the content of a criterion prevented scoring. */
export const CRITERION_REMEDY =
  'Change the criterion in the settings and start again, or score the version yourself and resume the run.';
