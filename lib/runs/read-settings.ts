import { patternProblem } from '#lib/evaluators/compile-pattern.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { nameSchema } from '#lib/reflection/setting-parts.ts';
import { type ExperimentSettings, settingsSchema } from '#lib/reflection/settings.ts';
import { parseInput } from './parse-input.ts';
import { providerResolver } from './resolve-provider.ts';
import type { Workshop } from './workshop.ts';

/** What a new experiment is sent as: its name beside its settings. */
export const experimentInputSchema = settingsSchema.extend({ name: nameSchema });

/** Checks name and settings of an experiment: ranges, patterns that compile, providers that exist. */
export async function readSettings(
  workshop: Workshop,
  input: unknown,
): Promise<Result<{ name: string; settings: ExperimentSettings }>> {
  const parsed = parseInput(experimentInputSchema, input);
  if (!parsed.ok) return parsed;
  const { name, ...settings } = parsed.value;
  return checkPatterns(settings) ?? (await checkProviders(workshop, settings)) ?? succeed({ name, settings });
}

function checkPatterns(settings: ExperimentSettings): Result<never> | null {
  for (const [position, criterion] of settings.criteria.entries()) {
    if (criterion.evaluator === 'llm') continue;
    const [key, problem] =
      criterion.evaluator === 'regex'
        ? ['pattern', patternProblem(criterion.config.pattern, criterion.config.flags)]
        : ['extract', criterion.config.extract === undefined ? null : patternProblem(criterion.config.extract)];
    const field = `criteria.${position}.config.${key}`;
    if (problem !== null) return fail('invalid', `${field} ${problem}`, field);
  }
  return null;
}

async function checkProviders(workshop: Workshop, settings: ExperimentSettings): Promise<Result<never> | null> {
  const resolve = providerResolver(workshop);
  for (const field of ['generator', 'reflectionModel', 'evaluatorModel'] as const) {
    const provider = settings[field]?.provider;
    if (provider === undefined || (await resolve(provider)) !== null) continue;
    return fail(
      'invalid',
      `${field}.provider: there is no provider named ${JSON.stringify(provider)}. Add it under Models, or use practice.`,
      `${field}.provider`,
    );
  }
  return null;
}
