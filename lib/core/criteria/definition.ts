import type { CriterionOf, EvaluatorKind } from '#lib/core/criterion-schema.ts';

type CodeExample = { name: string; code: string };

/** The entries of a config while it is edited: texts as they were typed, a list by its lines. */
export type ConfigEntries = Record<string, string | boolean>;

/**
 * A key of a criterion's config as a field of the form. `optional`: an empty entry is left out of the config. `columns`: neighbours of the
 * same number share a row. `forJudge`: variables are filled in, and unknown ones are pointed out. Texts in backticks are shown as code.
 */
export type ConfigField = {
  label: string;
  help?: string;
  columns?: 2 | 3;
  /** Returns whether the field has a use beside the other entries. One that is hidden is left out of the config, unless it is kept. */
  isShown?(entries: ConfigEntries): boolean;
  keptWhileHidden?: true;
} & (
  | { type: 'text' | 'webhook'; optional?: true }
  | { type: 'textarea'; rows: number; optional?: true; forJudge?: true; foldedUnder?: string }
  /** Left out where it is empty. */
  | { type: 'number' }
  /** The first option is the default; with `emptyLabel` none, which is left out. */
  | {
      type: 'select';
      options: readonly { value: string; label: string; help?: string }[];
      emptyLabel?(entries: ConfigEntries): string;
    }
  | { type: 'checkbox'; initially: boolean }
  | { type: 'code'; language: 'javascript' | 'python'; examples: readonly CodeExample[] }
  | { type: 'json'; examples: readonly CodeExample[] }
  /** Texts of one line each. */
  | { type: 'list'; example: string; forJudge?: true }
);

/** A text that a judge reads of a criterion, and its place in the criterion. */
export type JudgeText = { path: (string | number)[]; text: string };

/** What a case has to have for a criterion: any reference, or one that is a number. */
export type ReferenceLack = 'reference' | 'number';

/**
 * What is known of an evaluator kind beside how it evaluates. What is left out does not hold. Methods, not function properties: a kind's
 * own definition is used as one of any config.
 */
export type CriterionDefinition<Config = Record<string, unknown>> = {
  /** What it is called as an option of "Scored by". */
  label: string;
  /** What it is called beside a score. */
  name: string;
  /** A criterion of this kind in a list of settings. */
  summary(config: Config): string;
  /** The long text that it scores by, as a person wrote it. */
  longText?(config: Config): string | null;
  fields: { readonly [Key in keyof Required<Config>]: ConfigField };
  /** Help below the fields. Texts in backticks are shown as code. */
  note?(entries: ConfigEntries): string;
  /** Present where a judging model scores; it always reads the description. */
  judge?: {
    /** The texts that it reads beside the description. */
    texts?(config: Config): JudgeText[];
    /** Variables that it must not know, though other judges do. */
    withholds?(config: Config): string[];
    /** It says which issues of earlier versions still stand. */
    knowsOpenIssues?: true;
    /** Its reasons are told to the critic. */
    explains?: true;
    /** One call scores all criteria of the kind. */
    sharesCall?: true;
  };
  /** Model calls that each criterion takes. */
  calls?(config: Config): number;
  /** It asks the embedding model of the settings. */
  embeds?(config: Config): boolean;
  /** The earlier version that the output is compared with; null for none. */
  comparesWith?(config: Config): 'previous' | 'best' | null;
  /** It compares with the reference of the case, whatever its texts ask for. */
  usesReference?(config: Config): boolean;
  /** What it can score no output of a case without, of a case with this reference. */
  lacks?(config: Config, reference: string | null): ReferenceLack | null;
  /** Its score is known to be right: always, or for cases with a reference. */
  knowsAnswer?(config: Config): 'always' | 'with_reference' | 'never';
  /** The webhook that scores. */
  webhook?(config: Config): string;
  /** The run waits for a person's score. */
  waitsForPerson?: true;
  /** Python runs, which an owner has to allow. */
  runsPython?: true;
  /** What helps where a run failed because it gave no score. */
  remedy?: string;
};

/** The definition of an evaluator kind, held to the config of the kind. */
export function defineCriterion<const Kind extends EvaluatorKind>(
  definition: { kind: Kind } & CriterionDefinition<CriterionOf<Kind>['config']>,
) {
  return definition;
}

/** Where a judge gave no score. */
export const JUDGE_REMEDY =
  'Open the calls to see what the judge answered. Resuming sends the request again. If the judge keeps failing, choose another judge in the settings and start a new run.';
/** Where a criterion could not be scored by what it holds. */
export const CRITERION_REMEDY =
  'Change the criterion in the settings and start again, or score the version yourself and resume the run.';
