/** What a thread is asked of a JSON schema. */
export type SchemaRequest = {
  /** As JSON. */
  schema: string;
  /** An output that is read as JSON and checked; null: only whether the schema can be used. */
  output: string | null;
  /** What the checked value is called in a fault. */
  whole: string;
};

/** `problem` is the end of a sentence about the schema ("refers to …"), `reason` and `fault` stand alone. */
export type SchemaAnswer =
  | { type: 'usable' }
  | { type: 'unusable'; problem: string }
  | { type: 'unchecked'; reason: string }
  | { type: 'not_json'; problem: string }
  /** Without faults where the value fits; `count` is of all faults, `faults` the first ones in words. */
  | { type: 'checked'; faults: string[]; count: number };

/** The most faults that are put in words. */
export const MOST_FAULTS = 10;
