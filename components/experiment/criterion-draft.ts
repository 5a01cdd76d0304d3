import { formatNumberEntry, linesOf, nextKey, parseNumberEntry } from '#components/ui/parse-entries.ts';
import type { ConfigEntries, ConfigField } from '#lib/core/criteria/definition.ts';
import { criterionDefinition, DEFAULT_CRITERIA } from '#lib/core/criterion.ts';
import type { Criterion, EvaluatorKind } from '#lib/core/criterion-schema.ts';
import { parseJsonOrText } from '#lib/core/json-values.ts';

/** A criterion in the form, with all values as typed. */
export type CriterionDraft = {
  key: number;
  name: string;
  description: string;
  weight: string;
  /** Empty: no threshold for this criterion. */
  threshold: string;
  evaluator: EvaluatorKind;
  /** Values of each evaluator that was edited. They are kept when another evaluator is selected. */
  configs: { readonly [Kind in EvaluatorKind]?: ConfigEntries };
};

/** Returns a new, unnamed criterion with an LLM judge. */
export function newCriterion(key: number): CriterionDraft {
  return { key, name: '', description: '', weight: '1', threshold: '', evaluator: 'llm', configs: {} };
}

/** Converts a criterion to a draft. `key`: unique within the list. */
export function toCriterionDraft(criterion: Criterion, key: number): CriterionDraft {
  const { name, description, weight, threshold, evaluator, config } = criterion;
  const configs = { [evaluator]: toEntries(evaluator, config) };
  return {
    key,
    name,
    description,
    weight: formatNumberEntry(weight),
    threshold: formatNumberEntry(threshold),
    evaluator,
    configs,
  };
}

/** Returns the form values of the criterion's evaluator. */
export function entriesOf({ evaluator, configs }: CriterionDraft): ConfigEntries {
  return configs[evaluator] ?? toEntries(evaluator, {});
}

/** Returns the draft's configs with one value of its evaluator changed. */
export function withEntry(
  draft: CriterionDraft,
  key: string,
  entry: string | boolean,
): Pick<CriterionDraft, 'configs'> {
  return { configs: { ...draft.configs, [draft.evaluator]: { ...entriesOf(draft), [key]: entry } } };
}

function toEntries(evaluator: EvaluatorKind, config: Record<string, unknown>): ConfigEntries {
  const fields = Object.entries(criterionDefinition(evaluator).fields);
  return Object.fromEntries(fields.map(([key, field]) => [key, toEntry(field, config[key] ?? null)]));
}

function toEntry(field: ConfigField, value: unknown): string | boolean {
  if (field.type === 'checkbox') return typeof value === 'boolean' ? value : field.initially;
  if (field.type === 'select' && value === null)
    return field.emptyLabel === undefined ? (field.options[0]?.value ?? '') : '';
  if (value === null) return '';
  if (Array.isArray(value)) return value.join('\n');
  return field.type === 'json' ? JSON.stringify(value, null, 2) : String(value);
}

/** Converts a draft to the request format. Contains only the fields its evaluator uses. */
export function fromCriterionDraft(draft: CriterionDraft) {
  const { name, description, evaluator } = draft;
  const entries = entriesOf(draft);
  const config = Object.entries(criterionDefinition(evaluator).fields).flatMap(([key, field]) => {
    const isKept = field.keptWhileHidden || (field.isShown?.(entries) ?? true);
    const value = isKept ? fromEntry(field, entries[key] ?? '') : undefined;
    return value === undefined ? [] : [[key, value] as const];
  });
  return {
    ...{
      name,
      description,
      weight: parseNumberEntry(draft.weight),
      threshold: parseNumberEntry(draft.threshold),
      evaluator,
    },
    config: Object.fromEntries(config),
  };
}

/** Returns the value of an entry. Undefined if it is omitted. */
function fromEntry(field: ConfigField, entry: string | boolean): unknown {
  if (typeof entry === 'boolean') return entry;
  const isEmpty = entry.trim() === '';
  switch (field.type) {
    case 'list':
      return linesOf(entry);
    case 'json':
      return parseJsonOrText(entry);
    case 'number':
      return isEmpty ? undefined : parseNumberEntry(entry);
    case 'select':
      return isEmpty ? undefined : entry;
    case 'text':
    case 'webhook':
    case 'textarea':
      return isEmpty && field.optional ? undefined : entry;
    case 'code':
    case 'checkbox':
      return entry;
  }
}

/** Default criteria of each task type. */
export const CRITERIA_SETS = {
  writing: { label: 'Writing', criteria: DEFAULT_CRITERIA.writing },
  code: { label: 'Code generation', criteria: DEFAULT_CRITERIA.code },
  analysis: { label: 'Analysis', criteria: DEFAULT_CRITERIA.analysis },
  reasoning: { label: 'Reasoning', criteria: DEFAULT_CRITERIA.reasoning },
} as const satisfies Record<keyof typeof DEFAULT_CRITERIA, unknown>;

/** Names of the sets, in display order. */
export const SET_NAMES = ['writing', 'code', 'analysis', 'reasoning'] as const;

/** Appends the criteria of a set. Criteria whose names exist already are skipped. */
export function addCriteriaSet(criteria: readonly CriterionDraft[], set: keyof typeof CRITERIA_SETS): CriterionDraft[] {
  const usedNames = new Set(criteria.map((criterion) => criterion.name.trim()));
  const first = nextKey(criteria);
  const added = CRITERIA_SETS[set].criteria
    .filter(({ name }) => !usedNames.has(name))
    .map(({ name, description, weight, evaluator }, position) => ({
      ...newCriterion(first + position),
      name,
      description,
      weight: String(weight),
      evaluator,
    }));
  return [...criteria, ...added];
}
