import type { AppContext } from '#lib/context/app-context.ts';
import { scoringWebhook, usesEmbeddings } from '#lib/core/criterion.ts';
import { placeholderProblems } from '#lib/core/placeholder-problems.ts';
import { fail, failAll, type Refusal, type Result, succeed } from '#lib/core/problem.ts';
import { nameSchema } from '#lib/core/setting-parts.ts';
import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import { settingsContradiction } from '#lib/estimates/settings-contradictions.ts';
import { criterionProblem } from '#lib/evaluators/evaluate-output.ts';
import { promptOptionsProblem } from '#lib/evaluators/response-schema.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { missingLessons, unpromotedLessons } from '#lib/lessons/lesson-status.ts';
import { refuseUnknownTools } from '#lib/mcp-servers/mcp-tools.ts';
import { providerResolver } from '#lib/models/resolve-provider.ts';
import { findTarget } from '#lib/models/stored-provider.ts';
import { PROVIDER_DEFINITIONS } from '#lib/providers/provider-kinds.ts';
import { findWebhook } from '#lib/webhooks/queries.ts';
import { tuningSettingsProblem } from './tuning-settings-problem.ts';

/** A new experiment in a request: its name and settings. */
export const experimentInputSchema = settingsSchema.extend({ name: nameSchema });

/**
 * Validates the name and settings of an experiment: ranges, usable patterns and code, known variables, and existing providers, webhooks and
 * tools. `before`: stored settings, whose texts may remain unchanged. `stored`: nothing in them is new.
 */
export async function readSettings(
  context: AppContext,
  input: unknown,
  before: ExperimentSettings | 'stored' | null = null,
): Promise<Result<{ name: string; settings: ExperimentSettings }>> {
  const parsed = parseInput(experimentInputSchema, input);
  if (!parsed.ok) return parsed;
  const { name, ...settings } = parsed.value;
  const refused = [
    tuningSettingsProblem(settings),
    ...(before === 'stored' ? [] : [...checkVariables(settings, before), checkContradiction(settings, before)]),
    ...(await checkConfigs(settings)),
    checkEmbedding(settings),
    ...(await checkProviders(context, settings)),
    ...(await checkTarget(context, settings)),
    ...(await checkWebhooks(context, settings)),
    await refuseUnknownTools(context, settings),
    ...(await checkPinned(context, settings, before)),
  ];
  return failAll(refused.flatMap((one) => (one === null || one.ok ? [] : one.problem))) ?? succeed({ name, settings });
}

/** A contradiction that is already stored is accepted. It is shown as a warning before a start. */
function checkContradiction(settings: ExperimentSettings, before: ExperimentSettings | null): Refusal | null {
  const found = settingsContradiction(settings);
  if (found === null || (before !== null && settingsContradiction(before)?.field === found.field)) return null;
  return fail('invalid', `${found.field} ${found.message}.`, found.field);
}

function checkVariables(settings: ExperimentSettings, before: ExperimentSettings | null): Refusal[] {
  return placeholderProblems(settings, before).map(({ path, message }) => {
    const field = path.join('.');
    return fail('invalid', `${field} ${message}.`, field);
  });
}

async function checkConfigs(settings: ExperimentSettings): Promise<Refusal[]> {
  const [ofGenerator, ...problems] = await Promise.all([
    promptOptionsProblem(settings.generator),
    ...settings.criteria.map(criterionProblem),
  ]);
  const refuse = (field: string, problem: string) => fail('invalid', `${field} ${problem}`, field);
  return [
    ...(ofGenerator === null ? [] : [refuse(`generator.${ofGenerator.key}`, ofGenerator.problem)]),
    ...problems.flatMap((found, position) =>
      found === null ? [] : refuse(`criteria.${position}.config.${found.key}`, found.problem),
    ),
  ];
}

function checkEmbedding({ criteria, embeddingModel }: ExperimentSettings): Refusal | null {
  const embedded = criteria.find(usesEmbeddings);
  if (embedded === undefined || embeddingModel !== null) return null;
  const message = `embeddingModel must name an embedding model: the criterion "${embedded.name}" compares by embedding`;
  return fail('invalid', message, 'embeddingModel');
}

/**
 * Requires newly pinned lessons to exist and be promoted, because a run would silently skip them. Lessons pinned before are accepted, even
 * if they were archived since.
 */
async function checkPinned(
  { database }: AppContext,
  { lessons }: ExperimentSettings,
  before: ExperimentSettings | 'stored' | null,
): Promise<Refusal[]> {
  const missing = await missingLessons(database, lessons.pinned);
  const known = before === 'stored' ? lessons.pinned : (before?.lessons.pinned ?? []);
  const unpromoted = await unpromotedLessons(
    database,
    lessons.pinned.filter((id) => !known.includes(id)),
  );
  const refuse = (messageOf: (id: string) => string | null) =>
    lessons.pinned.flatMap((id, position) => {
      const field = `lessons.pinned.${position}`;
      const message = messageOf(id);
      return message === null ? [] : fail('invalid', `${field}: ${message}`, field);
    });
  return [
    ...refuse((id) => (missing.includes(id) ? `there is no lesson ${id}.` : null)),
    ...refuse((id) => {
      const found = unpromoted.get(id.toLowerCase());
      return found === undefined
        ? null
        : `only a promoted lesson can be pinned, and this lesson is ${found}. Promote it first, or test it in a trial.`;
    }),
  ];
}

async function checkTarget({ database }: AppContext, { generator, criteria }: ExperimentSettings): Promise<Refusal[]> {
  const { target } = generator;
  if (target === null)
    return criteria.flatMap(({ evaluator }, position) => {
      const field = `criteria.${position}.evaluator`;
      return evaluator === 'target'
        ? fail('invalid', `${field} must not be target: the experiment has no target.`, field)
        : [];
    });
  if ((await findTarget(database, target.name)) !== null) return [];
  const field = 'generator.target.name';
  const message = `${field}: there is no target named ${JSON.stringify(target.name)}. Connect it under Targets.`;
  return [fail('invalid', message, field)];
}

async function checkProviders(context: AppContext, settings: ExperimentSettings): Promise<Refusal[]> {
  const resolve = providerResolver(context);
  const named = [
    { field: 'generator', model: settings.generator, embeds: false },
    { field: 'reflectionModel', model: settings.reflectionModel, embeds: false },
    { field: 'evaluatorModel', model: settings.evaluatorModel, embeds: false },
    { field: 'embeddingModel', model: settings.embeddingModel, embeds: true },
    { field: 'lessons.embeddings', model: settings.lessons.embeddings, embeds: true },
    { field: 'lessons.check', model: settings.lessons.check, embeds: false },
    ...workerModels(settings),
    ...(settings.mode === 'tune' ? settings.tune.parameters.models : []).map((model, position) => ({
      field: `tune.parameters.models.${position}`,
      model,
      embeds: false,
    })),
  ];
  const refused: Refusal[] = [];
  for (const { field, model, embeds } of named) {
    if (model === null) continue;
    const { provider } = model;
    const kind = (await resolve(provider))?.kind;
    const problem =
      kind === undefined || kind === 'target'
        ? `there is no provider named ${JSON.stringify(provider)}. Add it under Models, or use practice.`
        : embeds && !PROVIDER_DEFINITIONS[kind].hasEmbeddings
          ? `the provider ${JSON.stringify(provider)} has no embedding models. Choose another one.`
          : null;
    if (problem !== null) refused.push(fail('invalid', `${field}.provider: ${problem}`, `${field}.provider`));
  }
  return refused;
}

function workerModels({ generator: { base } }: ExperimentSettings) {
  const workers = base.type === 'supervisor' ? base.workers : [];
  return workers.map(({ provider, model }, position) => ({
    field: `generator.base.workers.${position}`,
    model: provider === null || model === null ? null : { provider, model },
    embeds: false,
  }));
}

async function checkWebhooks(
  { database }: AppContext,
  { criteria, callbacks }: ExperimentSettings,
): Promise<Refusal[]> {
  const named = criteria.flatMap((criterion, position) => {
    const name = scoringWebhook(criterion);
    return name === null ? [] : [{ field: `criteria.${position}.config.name`, name }];
  });
  if (callbacks.webhook !== null) named.push({ field: 'callbacks.webhook', name: callbacks.webhook });
  const refused: Refusal[] = [];
  for (const { field, name } of named) {
    if ((await findWebhook(database, name)) !== null) continue;
    const message = `${field}: there is no webhook named ${JSON.stringify(name)}. An owner can add it under Settings.`;
    refused.push(fail('invalid', message, field));
  }
  return refused;
}
