import { z } from 'zod';
import { runLimitsSchema } from '#lib/core/budget-settings.ts';
import {
  critiqueSchema,
  type Decision,
  decisionSchema,
  evaluationSchema,
  exampleScoreSchema,
  failureSchema,
  observationSchema,
  pauseSchema,
  redrawSchema,
  tuningCaseSchema,
  turnSchema,
  versionSchema,
  writtenLessonSchema,
} from '#lib/core/history.ts';
import { RUN_STATUSES } from '#lib/core/run-statuses.ts';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import { snakeCase } from '#lib/core/text-values.ts';
import { type TokenUsage, tokenUsageSchema } from '#lib/core/token-usage.ts';
import { composeDetail, composeFeedback } from '#lib/database/evaluation-texts.ts';
import { criteriaColumn, messagesColumn } from '#lib/datasets/queries.ts';
import { rateLimitSchema } from './schema.ts';
import { expandWord, readLines, shortenWord, writeLine } from './stored-lines.ts';

/** A PostgreSQL type, as used in `json_to_recordset`. */
type SqlType = 'int' | 'float8' | 'boolean' | 'text' | 'uuid' | 'timestamptz' | 'jsonb' | 'int[]' | 'text[]';

type Options<Field extends string> = {
  /** SQL types that cannot be derived from the schema. */
  types?: Partial<Record<Field, SqlType>>;
  /** Fields whose null is stored as an empty text. */
  emptyForNull?: readonly Field[];
  /** Texts by field, composed of the fields before. A field with this text is stored as null. */
  composed?: Partial<Record<Field, (record: Row) => string>>;
};

/** Columns of a table in addition to those of a record. */
type ExtraColumns = {
  /** Additional fields of the sent objects, each with a column of the same name. */
  fields?: Record<string, SqlType>;
  /** Additional fields of the sent objects that only `computed` reads. */
  sent?: Record<string, SqlType>;
  /** SQL by column, over the sent object `v` and the fenced run `f`. */
  computed?: Record<string, string>;
};

type Row = Record<string, unknown>;

/** A row from the database, validated after its columns are renamed. Rows are not copied: a long run has thousands. */
const anyRow = z.custom<Row>((row) => typeof row === 'object' && row !== null);
/** Matches the names of timestamp fields. */
const TIME = /^at$|At$/;
const USAGE = { inputTokens: 'int', outputTokens: 'int' } as const;

/**
 * Maps a record to the columns of a table. `usedForName` becomes `used_for_name`, and token usage becomes `input_tokens` and
 * `output_tokens`. Lists of texts and integers become arrays, null if empty. All other lists and objects become JSON.
 */
function columnsOf<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
  { types = {}, emptyForNull = [], composed = {} }: Options<keyof Shape & string> = {},
) {
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  const given: Partial<Record<string, SqlType>> = types;
  const empty: readonly string[] = emptyForNull;
  const compositions: Partial<Record<string, (record: Row) => string>> = composed;
  const sqlTypes: Record<string, SqlType> = Object.assign(
    {},
    ...fields.map(([field, type]) =>
      field === 'tokenUsage'
        ? USAGE
        : { [field]: given[field] ?? (TIME.test(field) ? 'timestamptz' : sqlTypeOf(type)) },
    ),
  );

  const readers = fields.map(([field, type]): [string, (row: Row, before: Row) => unknown] => {
    if (field === 'tokenUsage') return [field, usageOf];
    const column = snakeCase(field);
    const sqlType = sqlTypes[field];
    const isOptional = type instanceof z.ZodOptional;
    const isNullForEmpty = empty.includes(field);
    const compose = compositions[field];
    const read = (row: Row, before: Row) => {
      const value = row[column];
      if (value === null && compose !== undefined) return compose(before);
      if (value === null && isOptional) return undefined;
      if (value === null && isArrayType(sqlType)) return [];
      if (value === '' && isNullForEmpty) return null;
      return sqlType === 'timestamptz' && typeof value === 'string' ? isoTime(value) : value;
    };
    return [field, read];
  });

  function fieldsOf(row: Row): Row {
    const record: Row = {};
    for (const [field, read] of readers) {
      const value = read(row, record);
      if (value !== undefined) record[field] = value;
    }
    return record;
  }

  function withoutText(record: Row): [string, null][] {
    return Object.entries(compositions).flatMap(([field, compose]) =>
      compose?.(record) === record[field] ? [[field, null]] : [],
    );
  }

  return {
    columns: Object.keys(sqlTypes).map(snakeCase),
    /** Parses a row as written by `to_json`. */
    row: anyRow.transform(fieldsOf).pipe(schema),
    /** Returns a record in the form that `insert` expects. */
    values(record: { tokenUsage?: TokenUsage; durationMs?: number }): Record<string, unknown> {
      const { tokenUsage, durationMs } = record;
      return {
        ...record,
        ...(tokenUsage && { inputTokens: tokenUsage.input, outputTokens: tokenUsage.output }),
        ...(durationMs !== undefined && { durationMs: Math.round(durationMs) }),
        ...Object.fromEntries(empty.map((field) => [field, Reflect.get(record, field) ?? ''])),
        ...Object.fromEntries(withoutText(record)),
      };
    },
    /** Returns SQL that stores the records in the JSON list `list`, joined with their run in `fenced` by `place` (see `saveResults`). */
    insert(table: string, list: string, { fields: more = {}, sent = {}, computed = {} }: ExtraColumns = {}): string {
      const stored = { ...sqlTypes, ...more };
      const columns = [...Object.keys(stored).map(snakeCase), ...Object.keys(computed)];
      const values = Object.keys(stored).map((field) =>
        isArrayType(sqlTypes[field]) ? `nullif(v."${field}", '{}')` : `v."${field}"`,
      );
      const taken = Object.entries({ ...stored, ...sent }).map(([field, type]) => `"${field}" ${type}`);
      return `INSERT INTO ${table} (run_id, ${columns.join(', ')})
    SELECT f.id, ${[...values, ...Object.values(computed)].join(', ')}
    FROM fenced f JOIN json_to_recordset(${list}::json) AS v(place int, ${taken.join(', ')}) USING (place)`;
    },
  };
}

function sqlTypeOf(type: z.core.$ZodType): SqlType {
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable || type instanceof z.ZodDefault)
    return sqlTypeOf(type.def.innerType);
  if (type instanceof z.ZodString || type instanceof z.ZodEnum) return 'text';
  if (type instanceof z.ZodBoolean) return 'boolean';
  if (type instanceof z.ZodNumber) return type.isInt ? 'int' : 'float8';
  const element = type instanceof z.ZodArray ? sqlTypeOf(type.element) : null;
  return element === 'text' || element === 'int' ? `${element}[]` : 'jsonb';
}

function isArrayType(type: SqlType | undefined): boolean {
  return type?.endsWith('[]') === true;
}

/** Converts a timestamp as PostgreSQL writes it into JSON to ISO 8601 in UTC. */
function isoTime(text: string): string {
  return new Date(text).toISOString();
}

const usageColumns = z.object({ input_tokens: z.int(), output_tokens: z.int() });

function usageOf(row: Record<string, unknown>): TokenUsage {
  const { input_tokens: input, output_tokens: output } = usageColumns.parse(row);
  return { input, output, total: input + output };
}

export const VERSION_COLUMNS = columnsOf(versionSchema.omit({ recalledLessons: true }));
const reasonsInRow = evaluationSchema.pick({ reasons: true });
const feedbackInRow = evaluationSchema.pick({ reasons: true, feedback: true });
export const EVALUATION_COLUMNS = columnsOf(evaluationSchema, {
  composed: {
    feedback: (record) => composeFeedback(reasonsInRow.parse(record)),
    detail: (record) => composeDetail(feedbackInRow.parse(record)),
  },
});
export const CRITIQUE_COLUMNS = columnsOf(critiqueSchema);
export const LESSON_COLUMNS = columnsOf(writtenLessonSchema, { types: { id: 'uuid' } });
export const TRY_COLUMNS = columnsOf(exampleScoreSchema);
export const DECISION_COLUMNS = columnsOf(decisionSchema, { types: { pauseId: 'uuid' } });
export const TURN_COLUMNS = columnsOf(turnSchema, { emptyForNull: ['delegation'] });
export const OBSERVATION_COLUMNS = columnsOf(observationSchema);

const { version, iteration, decision, reason, step, at } = decisionSchema.shape;
/** A decision of the rules. Their decisions have no other fields. */
const policyDecision = z.object({ version, iteration, decision, reason, step, at });
/** A decision of the rules as earlier versions stored it in the row of its run. */
const earlierPolicyDecision = z.tuple([version, iteration, decision, reason, step, at]);

/** Returns a decision of the rules as stored in the row of its run, with its time at the end if it has another form than `toISOString`. */
export function writePolicyDecision({ version, iteration, decision, reason, step, at }: Decision): string {
  const ms = Date.parse(at);
  const isExact = !Number.isNaN(ms) && new Date(ms).toISOString() === at;
  const values = [version, iteration, step, shortenWord(decision)];
  if (!isExact) return writeLine(0, [...values, shortenWord(reason), at]);
  return writeLine(ms, reason === null ? values : [...values, shortenWord(reason)]);
}

/** Parses the decisions of the rules in the row of a run. `lines`: the output of `writePolicyDecision`. */
export function readPolicyDecisions(earlier: readonly string[], lines: string): Decision[] {
  const decisions = readLines(lines).map(({ ms, values: [version, iteration, step, decision, reason = null, at] }) => ({
    ...{ version, iteration, step, decision: expandWord(decision), reason: expandWord(reason) },
    at: at ?? new Date(ms).toISOString(),
  }));
  const stored = earlier.map((json) => {
    const [version, iteration, decision, reason, step, at] = earlierPolicyDecision.parse(JSON.parse(json));
    return { version, iteration, decision, reason, step, at };
  });
  const all = [...stored, ...decisions.map((one) => policyDecision.parse(one))];
  // Exports write the fields of all decisions in this order.
  return all.map(({ version, iteration, decision, reason, step, at }) => ({
    ...{ hook: 'onReflection', version, iteration, decision, by: 'policy', actor: null, reason, score: null },
    ...{ criterion: null, guidance: null, toolCallId: null, toolArguments: null, seen: null, pauseId: null, at, step },
  }));
}

export const caseRow = tuningCaseSchema.extend({ messages: messagesColumn, criteria: criteriaColumn });

export const recallRow = z.object({
  version: z.int(),
  rank: z.int(),
  lesson_id: z.string(),
  score: z.number().nullable(),
});

const pauseColumn = pauseSchema.extend({
  // Missing in pauses stored before runs could request scores.
  asks: pauseSchema.shape.asks.default([]),
  // Missing in pauses stored before agents used tools.
  toolCall: pauseSchema.shape.toolCall.default(null),
});

export const failureColumn = failureSchema.extend({
  /** Missing in failures stored before causes were recorded. */
  cause: failureSchema.shape.cause.default(null),
});

/** The row of a run, without the values that lists copy from its history. */
const runRecordRow = z.object({
  id: z.string(),
  number: z.int(),
  experimentId: z.string(),
  experimentVersion: z.int(),
  batchId: z.string(),
  position: z.int(),
  input: z.string(),
  messages: messagesColumn,
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  criteria: criteriaColumn,
  status: z.enum(RUN_STATUSES),
  convergenceReason: z.enum(STOP_REASONS).nullable(),
  alsoHeld: z.array(z.enum(STOP_REASONS)),
  success: z.boolean(),
  failure: failureColumn.nullable(),
  pause: pauseColumn.nullable(),
  pauseExpiresAt: z.string().nullish(),
  rateLimit: rateLimitSchema.nullish(),
  redraw: redrawSchema.nullable(),
  claim: z.int(),
  idleClaims: z.int(),
  step: z.int(),
  eventNumber: z.int(),
  decisionCount: z.int(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  activeMs: z.int(),
  finalVersion: z.int().nullable(),
  tokenUsage: tokenUsageSchema,
  costUsd: z.number(),
  callCount: z.int(),
  unpriced: z.boolean(),
  branchedFromRunId: z.string().nullable(),
  branchedFromVersion: z.int().nullable(),
  ownBudget: runLimitsSchema.nullish(),
});
export const RUN_COLUMNS = columnsOf(runRecordRow);
export type RunRow = z.infer<typeof runRecordRow>;
