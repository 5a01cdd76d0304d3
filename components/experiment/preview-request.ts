import { sentInput } from '#components/case/typed-input.ts';
import { baseSchema } from '#lib/core/agents/base-settings.ts';
import { criterionSchema } from '#lib/core/criterion-schema.ts';
import type { Problem } from '#lib/core/problem.ts';
import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import type { PreviewRequest } from './answer-preview.tsx';
import { type FormSettings, fromFormSettings, sentBaseType } from './form-settings.ts';
import type { Cases } from './use-cases.ts';

/** Returns the request of a preview. */
export function previewRequest(settings: FormSettings, cases: Cases): PreviewRequest {
  const { taskType, generator, temperatures, modelSettings, prompts } = fromFormSettings(settings);
  const { base: _, ...writer } = generator;
  const experiment = { taskType, generator: writer, temperatures, modelSettings, prompts };
  const start = cases.source === 'dataset' ? { datasetId: cases.datasetId } : caseOf(cases);
  // The API validates the values and reports errors by field.
  return { experiment, start } as PreviewRequest;
}

function caseOf(cases: Cases) {
  if (cases.source === 'text') return { input: sentInput(cases) };
  return { input: firstCase(cases)?.input ?? '' };
}

function firstCase({ preview }: Pick<Cases, 'preview'>) {
  return preview?.rows.find(({ state }) => state === 'ready');
}

/** Length to which the import report truncates inputs, in characters. */
const MAX_PREVIEW_INPUT_LENGTH = 300;

/** Returns a note on the case that a preview uses. Null for a typed case, which is visible. */
export function previewNote(cases: Pick<Cases, 'source' | 'preview'>): string | null {
  if (cases.source === 'text') return null;
  if (cases.source === 'dataset') return 'Uses the first case of the dataset.';
  const length = firstCase(cases)?.input?.length ?? 0;
  return length < MAX_PREVIEW_INPUT_LENGTH
    ? 'Uses the first case.'
    : `Uses the first ${MAX_PREVIEW_INPUT_LENGTH} characters of the first case.`;
}

/** Returns the reason that no preview is available. Null if one is. */
export function noPreviewLabel(settings: FormSettings): string | null {
  return sentBaseType(settings) === 'single'
    ? null
    : `Previews are not available for agents. Select ${settings.mode === 'tune' ? 'Tune' : 'Run'} to see the agent work.`;
}

/** Maps an API error to the form: removes the `experiment.` prefix of the request. */
export function toFormProblem(problem: Problem): Problem {
  const bare = (text: string) => text.replace(/^experiment\./, '');
  return { ...problem, message: bare(problem.message), field: problem.field === null ? null : bare(problem.field) };
}

/** Returns settings for a prompt preview while the form may contain errors. Invalid values are dropped or replaced by defaults. */
export function previewSettings(form: FormSettings): ExperimentSettings {
  const sent = fromFormSettings(form);
  const { mode, prompts, structuredReflection, revision, criteria } = sent;
  const readable = criteria.flatMap((criterion) => criterionSchema.safeParse(criterion).data ?? []);
  const base = baseSchema.safeParse(sent.generator.base).data ?? { type: 'single' };
  const generator = { provider: 'practice', model: 'practice-1', instructions: form.generator.instructions, base };
  const tries = [
    { mode, generator, prompts, structuredReflection, revision, criteria: readable },
    { mode, generator, prompts, structuredReflection, criteria: ANY },
  ];
  for (const settings of tries) {
    const parsed = settingsSchema.safeParse(settings);
    if (parsed.success) return parsed.data;
  }
  return settingsSchema.parse({ mode, generator: { ...generator, instructions: '' }, criteria: ANY });
}

const ANY = [{ name: 'criterion', evaluator: 'llm' }];
