import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { usesEmbeddings } from '#lib/core/criterion.ts';
import { modelFor } from '#lib/core/model-roles.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { type ExperimentSettings, temperatureFor } from '#lib/core/settings.ts';
import { textToTune } from '#lib/core/targets/component-texts.ts';
import { type CandidateParameters, parametersOf } from '#lib/core/tuning/candidate-parameters.ts';
import { isHeldBack } from '#lib/core/tuning/candidate-state.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { movePromptLabel } from './move-prompt-label.ts';
import { createPrompt } from './prompt-library.ts';
import { savePromptVersion } from './save-prompt-version.ts';
import { labelSchema, moveReasonSchema, promptNameSchema, versionMessageSchema } from './schema.ts';

const inputSchema = z.strictObject({
  version: integerBetween(0, 1_000_000),
  /** Prompt to add the version to. A missing prompt is created, with the original prompt as its first version. */
  name: promptNameSchema,
  message: versionMessageSchema,
  /** Label to move to the version. Null for none. */
  label: labelSchema.nullable().default(null),
  /** Reason for the label move. `production` requires one if the version has lower held-out scores. */
  reason: moveReasonSchema.default(''),
});

/** `labelProblem` is the reason why the label was not moved although the version was saved. */
export type SavedRunPrompt = { name: string; version: number; label: string | null; labelProblem: string | null };

/** Saves a version of a tuning run as the next version of a prompt, with its origin, and moves the label. */
export async function saveRunPrompt(
  context: AppContext,
  actor: Actor,
  runId: string,
  input: unknown,
): Promise<Result<SavedRunPrompt>> {
  const parsed = parseInput(inputSchema, input);
  if (!parsed.ok) return parsed;
  const { version: number, name, message, label, reason } = parsed.value;
  const stored = await loadRun(context.database, runId);
  if (stored === null) return notStored('run', runId);
  const { history, settings } = stored;
  const version = history.versions.find((candidate) => candidate.number === number);
  if (version === undefined || version.outputDropped)
    return fail('invalid', `version: there is no text of version ${number}.`, 'version');
  if (settings.mode !== 'tune') return fail('conflict', 'Only versions of a tuning run can be saved as a prompt.');
  if (isHeldBack(version))
    return fail('conflict', `Version ${number} was held back before it was scored. Edit it and try again.`);

  const isOwn = settings.tune.prompt?.name === name;
  const parent = isOwn ? (settings.tune.prompt?.version ?? null) : null;
  const { tools, responseSchema } = settings.generator;
  const sent = { text: version.output, tools, responseSchema, message, parent, run: { id: runId, version: number } };
  const saved = await savePromptVersion(context, actor, name, sent);
  if (!saved.ok && saved.problem.code === 'not_found') {
    const created = await createPrompt(context, actor, {
      name,
      text: firstText(history.versions, settings),
      tools,
      responseSchema,
      setup: setupOf(settings, parametersOf(history, number)),
    });
    if (!created.ok) return created;
    // A version that only varies other parameters has the same text as version 1.
    if (version.output === firstText(history.versions, settings))
      return labelled(context, actor, { name, version: 1 }, { label, reason });
    const again = await savePromptVersion(context, actor, name, sent);
    return again.ok ? labelled(context, actor, again.value, { label, reason }) : again;
  }
  return saved.ok ? labelled(context, actor, saved.value, { label, reason }) : saved;
}

async function labelled(
  context: AppContext,
  actor: Actor,
  { name, version }: { name: string; version: number },
  { label, reason }: { label: string | null; reason: string },
): Promise<Result<SavedRunPrompt>> {
  if (label === null) return succeed({ name, version, label: null, labelProblem: null });
  const moved = await movePromptLabel(context, actor, name, label, { version, reason });
  return succeed({
    name,
    version,
    label: moved.ok ? label : null,
    labelProblem: moved.ok ? null : moved.problem.message,
  });
}

function firstText(versions: readonly { output: string }[], settings: ExperimentSettings): string {
  return versions[0]?.output || textToTune(settings) || '';
}

/** Returns the setup of a new prompt, with the settings it was tuned with. */
function setupOf(settings: ExperimentSettings, parameters: CandidateParameters) {
  const { generator, temperatures, modelSettings, evaluatorModel, criteria, qualityThreshold } = settings;
  return {
    models: [parameters.model ?? { provider: generator.provider, model: generator.model }],
    temperature: parameters.temperature ?? generator.temperature,
    evaluatorTemperature:
      parameters.temperature === undefined ? temperatures.evaluate : temperatureFor(settings, 'evaluate'),
    modelSettings: { generate: modelSettings.generate, evaluate: modelSettings.evaluate },
    instructions: generator.instructions,
    // A prompt has neither a target nor vectors to score it.
    criteria: criteria.filter((criterion) => criterion.evaluator !== 'target' && !usesEmbeddings(criterion)),
    // Without its own judge, a run uses the generator as judge, even if another model answers.
    evaluatorModel: parameters.model === undefined ? evaluatorModel : modelFor(settings, 'evaluate'),
    qualityThreshold,
  };
}
