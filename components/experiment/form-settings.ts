import { fromOptionsDraft, type OptionsDraft, toOptionsDraft } from '#components/prompt-editor/options-draft.ts';
import { linesOf } from '#components/ui/parse-entries.ts';
import type { BaseSettings, BaseType, WorkerSettings } from '#lib/core/agents/base-settings.ts';
import { usedTools } from '#lib/core/agents/tool-calls.ts';
import { parseJsonOrText } from '#lib/core/json-values.ts';
import type { ModelSettings, ModelSettingsRole, ReasoningEffort, RoleSettings } from '#lib/core/model-settings.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { tunedNames } from '#lib/core/targets/component-texts.ts';
import { NO_OPTIONS } from '#lib/prompts/prompt.ts';
import type { TargetChoice } from '#lib/targets/schema.ts';
import { type CriterionDraft, fromCriterionDraft, toCriterionDraft } from './criterion-draft.ts';

/** Value of a number input. Text that is not a number is kept as typed. Null: empty. */
export type NumberEntry = number | string | null;

type Editable<Value> = Value extends number
  ? NumberEntry
  : Value extends readonly (infer Member)[]
    ? Editable<Member>[]
    : Value extends object
      ? { [Key in keyof Value]: Editable<Value[Key]> }
      : Value;

type AgentSettings = Extract<BaseSettings, { type: 'supervisor' }>;

/** Worker in the form. `key`: unique within the list. */
export type FormWorker = Editable<WorkerSettings> & { key: number };

/** Base in the form. Values of other base types are kept when the type changes. */
type FormBase = Editable<Omit<AgentSettings, 'type' | 'workers'>> & {
  type: BaseType;
  workers: FormWorker[];
};

/** Model settings of a role in the form. Lists and objects are stored as text. */
export type FormModelSettings = {
  maxOutputTokens: NumberEntry;
  topP: NumberEntry;
  seed: NumberEntry;
  stopSequences: string;
  reasoningEffort: ReasoningEffort | '';
  providerOptions: string;
  headers: string;
};

/** Settings and name of an experiment in the form. */
export type FormSettings = Editable<Omit<ExperimentSettings, 'generator' | 'criteria' | 'modelSettings'>> & {
  name: string;
  modelSettings: Record<ModelSettingsRole, FormModelSettings>;
  generator: Editable<Omit<ExperimentSettings['generator'], 'base' | keyof OptionsDraft>> & {
    base: FormBase;
  } & OptionsDraft;
  criteria: CriterionDraft[];
};

/** The path of a setting in the request, such as `budget.maxTokens` or `generator.base.workers.0.name`. */
export type SettingPath = PathOf<FormSettings>;

type PathOf<Value> = {
  [Key in keyof Value & string]:
    | Key
    | (Value[Key] extends readonly (infer Member)[]
        ? `${Key}.${number}.${PathOf<Extract<Member, object>>}`
        : `${Key}.${PathOf<Extract<Value[Key], object>>}`);
}[keyof Value & string];

export type SettingAt<Path extends string, Value = FormSettings> = Path extends `${infer Key}.${infer Rest}`
  ? Value extends readonly (infer Member)[]
    ? SettingAt<Rest, Member>
    : Key extends keyof Value
      ? SettingAt<Rest, NonNullable<Value[Key]>>
      : never
  : Path extends keyof Value
    ? Value[Path]
    : never;

/** Paths of the settings with a given value type. */
export type PathTo<Value> = { [Path in SettingPath]: SettingAt<Path> extends Value ? Path : never }[SettingPath];

export function settingAt<Path extends SettingPath>(settings: FormSettings, path: Path): SettingAt<Path> {
  return path.split('.').reduce<unknown>(memberAt, settings) as SettingAt<Path>;
}

/** Returns the settings with the value at a path replaced. */
export function withSetting<Path extends SettingPath>(
  settings: FormSettings,
  path: Path,
  value: SettingAt<Path>,
): FormSettings {
  return replaceAt(settings, path.split('.'), value) as FormSettings;
}

function memberAt(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function replaceAt(target: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value;
  const member = replaceAt(memberAt(target, key), rest, value);
  if (Array.isArray(target)) return target.with(Number(key), member);
  return { ...(typeof target === 'object' ? target : {}), [key]: member };
}

/** Converts settings to form values. */
export function toFormSettings(name: string, settings: ExperimentSettings): FormSettings {
  const { generator, criteria, modelSettings, ...rest } = settings;
  return {
    name,
    ...rest,
    generator: { ...generator, base: toFormBase(generator.base), ...toOptionsDraft(generator) },
    criteria: criteria.map(toCriterionDraft),
    modelSettings: toFormModelSettings(modelSettings),
  };
}

/** Converts model settings to form values. */
function toFormModelSettings(settings: ModelSettings): FormSettings['modelSettings'] {
  return {
    generate: toFormRoleSettings(settings.generate),
    revise: toFormRoleSettings(settings.revise),
    evaluate: toFormRoleSettings(settings.evaluate),
    reflect: toFormRoleSettings(settings.reflect),
    lesson: toFormRoleSettings(settings.lesson),
    worker: toFormRoleSettings(settings.worker),
  };
}

/** Converts the settings of one role to form values. */
export function toFormRoleSettings(settings: Partial<RoleSettings> | null): FormModelSettings {
  const { maxOutputTokens, topP, seed, stopSequences, reasoningEffort, providerOptions, headers } = settings ?? {};
  return {
    maxOutputTokens: maxOutputTokens ?? null,
    topP: topP ?? null,
    seed: seed ?? null,
    stopSequences: (stopSequences ?? []).map((text) => text.replaceAll('\n', '\\n')).join('\n'),
    reasoningEffort: reasoningEffort ?? '',
    providerOptions: providerOptions == null ? '' : JSON.stringify(providerOptions, null, 2),
    headers: Object.entries(headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  };
}

/** Returns the model settings to send. Null for a role without any. */
export function fromFormModelSettings<Role extends ModelSettingsRole>(settings: Record<Role, FormModelSettings>) {
  return Object.fromEntries(
    Object.entries<FormModelSettings>(settings).map(([role, typed]) => {
      const { maxOutputTokens, ...sent } = sentModelSettings(typed);
      const limit = role === 'revise' ? {} : { maxOutputTokens };
      return [role, isEmptyModelSettings(typed) ? null : { ...limit, ...sent }];
    }),
  );
}

/** True if no setting of a role has a value. */
export function isEmptyModelSettings(typed: FormModelSettings): boolean {
  return Object.values(sentModelSettings(typed)).every((value) => value === null);
}

/** Invalid provider options are sent as text, so that the server reports them. */
function sentModelSettings(typed: FormModelSettings) {
  const stops = linesOf(typed.stopSequences).map((line) => line.replaceAll('\\n', '\n'));
  const headers = linesOf(typed.headers).map((line) => {
    const [name = '', ...value] = line.split(':');
    return [name.trim(), value.join(':').trim()];
  });
  return {
    maxOutputTokens: typed.maxOutputTokens,
    topP: typed.topP,
    seed: typed.seed,
    stopSequences: stops.length === 0 ? null : stops,
    reasoningEffort: typed.reasoningEffort === '' ? null : typed.reasoningEffort,
    providerOptions: typed.providerOptions.trim() === '' ? null : parseJsonOrText(typed.providerOptions),
    headers: headers.length === 0 ? null : Object.fromEntries(headers),
  };
}

const NO_AGENT: Omit<FormBase, 'type'> = {
  tools: [],
  approve: [],
  httpHosts: [],
  maxSteps: 10,
  stallAfter: 3,
  workers: [],
};

function toFormBase(base: BaseSettings): FormBase {
  const workers = base.type === 'supervisor' ? base.workers.map((worker, key) => ({ ...worker, key })) : [];
  return { ...NO_AGENT, ...base, workers };
}

/** Returns a new, unnamed worker. */
export function newWorker(workers: readonly FormWorker[]): FormWorker {
  const key = Math.max(-1, ...workers.map((worker) => worker.key)) + 1;
  return { key, name: '', description: '', instructions: '', provider: null, model: null, tools: [], maxSteps: 6 };
}

/**
 * Converts form values to the request. Contains only settings in use. Invalid numbers are sent as typed, so that the server can report
 * them.
 */
export function fromFormSettings(form: FormSettings) {
  const { mode, callbacks } = form;
  return {
    ...form,
    taskType: form.taskType.trim() === '' ? 'custom' : form.taskType,
    generator: { ...form.generator, ...sentOptions(form), base: sentBase(form), target: sentTarget(form) },
    prompts: Object.fromEntries(
      Object.entries(form.prompts).map(([role, text]) => [role, text === null || text.trim() === '' ? null : text]),
    ),
    criteria: form.criteria.map(fromCriterionDraft),
    modelSettings: fromFormModelSettings(form.modelSettings),
    tune: { ...form.tune, parameters: sentParameters(form) },
    triggers: { ...form.triggers, ...agentTriggers(form) },
    callbacks: { ...callbacks, escalate: mode === 'retry' && callbacks.escalate },
  };
}

type FormTarget = NonNullable<FormSettings['generator']['target']>;

/** Names of the components that tune mode improves: the chosen ones, otherwise the first. Empty for a target without components. */
export function tunedComponents(target: FormTarget): string[] {
  const chosen = tunedNames(target);
  return chosen.length > 0 ? chosen : Object.keys(target.components).slice(0, 1);
}

/** Components are tuned in tune mode only. */
function sentTarget({ mode, generator: { target } }: FormSettings) {
  if (target === null) return null;
  const [first = null] = tunedComponents(target);
  const tuned = tunedNames(target).length > 0 ? target.tuned : first;
  return { ...target, tuned: mode === 'tune' ? tuned : null };
}

/** A target chooses its own model and temperature. */
function sentParameters({ generator, tune }: FormSettings): FormSettings['tune']['parameters'] {
  return generator.target === null ? tune.parameters : { models: [], temperatures: [] };
}

/** Returns the base type to send. In tune mode, a supervisor is replaced by single calls. */
export function sentBaseType({ mode, generator: { base } }: Pick<FormSettings, 'mode' | 'generator'>): BaseType {
  return mode === 'tune' && base.type === 'supervisor' ? 'single' : base.type;
}

/** Options apply only to single calls. Agents have their own tools, and targets receive neither. */
function sentOptions(form: FormSettings) {
  const { generator } = form;
  return sentBaseType(form) === 'single' && generator.target === null ? fromOptionsDraft(generator) : NO_OPTIONS;
}

/** Returns the base to send. In tune mode, no tool needs approval. */
function sentBase(form: FormSettings) {
  const { workers, type: _chosen, ...agent } = form.generator.base;
  const type = sentBaseType(form);
  if (type === 'single') return { type };
  // Only selected tools can require approval. Approvals of removed tools are dropped.
  const used = form.mode === 'tune' ? [] : usedTools(form.generator.base);
  const shared = { ...agent, approve: agent.approve.filter((name) => used.includes(name)) };
  return type === 'react'
    ? { type, ...shared }
    : { type, workers: workers.map(({ key: _, ...worker }) => worker), ...shared };
}

/** Single calls have no turns or tools. Triggers of tools that are not in use are dropped. */
function agentTriggers({ mode, generator: { base }, triggers: { stepInterval, onTools } }: FormSettings) {
  if (mode === 'tune' || base.type === 'single') return { stepInterval: null, onTools: [] };
  const used = usedTools(base);
  return { stepInterval, onTools: onTools.filter((name) => used.includes(name)) };
}

/**
 * Returns the settings that affect judging, for testing one criterion. The base is left out, because the tested output was not made in a
 * run.
 */
export function judgingOf(form: FormSettings) {
  const sent = fromFormSettings(form);
  const { base: _, ...generator } = sent.generator;
  const { taskType, temperatures, modelSettings, evaluatorModel, embeddingModel } = sent;
  const { prompts, structuredReflection, qualityThreshold } = sent;
  return {
    taskType,
    generator,
    temperatures,
    modelSettings,
    evaluatorModel,
    embeddingModel,
    prompts,
    structuredReflection,
    qualityThreshold,
  };
}

/** Returns the settings that turn criterion scores into an overall result: names, weights and thresholds. */
export function scoringOf(form: FormSettings) {
  const { criteria, qualityThreshold } = fromFormSettings(form);
  return { qualityThreshold, criteria: criteria.map(({ name, weight, threshold }) => ({ name, weight, threshold })) };
}

/** Role with model settings, and the label of its output. */
export type FormRole = { role: ModelSettingsRole; label: string };

type Experiment = { mode: FormSettings['mode']; generator: { base: { type: string }; target: object | null } };

/** Returns the roles for which an experiment calls models, in run order. Excludes roles performed by a target. */
export function rolesOf(experiment: Experiment): FormRole[] {
  const isWrittenByTarget = experiment.generator.target !== null;
  return allRolesOf(experiment).filter(({ role }) => !isWrittenByTarget || (role !== 'generate' && role !== 'revise'));
}

function allRolesOf({ mode, generator }: Experiment): FormRole[] {
  const judges: FormRole = { role: 'evaluate', label: 'judges' };
  if (mode === 'tune') return [{ role: 'generate', label: 'answers' }, judges, { role: 'reflect', label: 'proposals' }];
  return [
    { role: 'generate', label: 'drafts' },
    ...(mode === 'revise' ? [{ role: 'revise', label: 'revisions' } as const] : []),
    judges,
    { role: 'reflect', label: 'critiques' },
    { role: 'lesson', label: 'lessons' },
    ...(generator.base.type === 'supervisor' ? [{ role: 'worker', label: 'workers' } as const] : []),
  ];
}

/** Returns the settings with a target as the generator. Clears the form's prompts that a target replaces with its own. */
export function withTarget(settings: FormSettings, { name, components }: TargetChoice): FormSettings {
  const { generator, prompts } = settings;
  const target = { name, components, tuned: null };
  return {
    ...settings,
    generator: { ...generator, instructions: '', target, base: { ...generator.base, type: 'single' } },
    prompts: { ...prompts, generate: null, revise: null },
  };
}
