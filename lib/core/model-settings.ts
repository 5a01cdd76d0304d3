import { z } from 'zod';
import { REASONING_EFFORTS } from './setting-choices.ts';
import { anyJson, integerBetween, numberBetween, oneOf } from './setting-parts.ts';
import type { ModelReference } from './settings.ts';

export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** Largest seed that every provider accepts: the maximum signed 32-bit integer. */
const MAX_SEED = 2_147_483_647;
const MAX_STOP_SEQUENCES = 16;
const MAX_HEADERS = 20;
const MAX_PROVIDER_OPTIONS_LENGTH = 10_000;

/** Headers that contain a key or belong to the connection. Keys are stored with the provider, encrypted. */
const RESERVED_HEADERS =
  /^(?:authorization|proxy-.*|cookie|host|connection|content-.*|transfer-encoding|upgrade|api-key|x-api-key|x-goog-api-key|x-amz-.*)$/i;

/** Parses request headers by name. `reserved` names are refused, with a message. */
export function headersSchema(value: z.ZodType<string>, names: { allowed: RegExp; reserved: RegExp; message: string }) {
  return z.record(z.string(), value).superRefine((headers, context) => {
    const refuse = (message: string, path: string[] = []) => context.addIssue({ code: 'custom', path, message });
    const given = Object.keys(headers);
    if (given.length > MAX_HEADERS) refuse(`must contain at most ${MAX_HEADERS} headers`);
    for (const name of given)
      if (!names.allowed.test(name)) refuse('must have a name of letters, digits and dashes', [name]);
      else if (names.reserved.test(name)) refuse(names.message, [name]);
  });
}

const visibleHeadersSchema = headersSchema(
  z.string().regex(/^[\x20-\x7e]{0,1000}$/, { error: 'must be at most 1,000 printable ASCII characters' }),
  {
    allowed: /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/,
    reserved: RESERVED_HEADERS,
    message: 'must not be set here: settings are visible to everybody. Add secret headers to the provider',
  },
);

const maxOutputTokens = integerBetween(1, 1_000_000)
  .nullable()
  .default(null)
  .describe('Maximum number of output tokens of a response, including reasoning.');

const shared = {
  topP: numberBetween(0, 1)
    .nullable()
    .default(null)
    .describe('Nucleus sampling. Most providers advise against setting this together with a temperature.'),
  seed: integerBetween(0, MAX_SEED)
    .nullable()
    .default(null)
    .describe('Seed of the first run of a case. Each repetition adds 1.'),
  stopSequences: z
    .array(z.string().min(1, { error: 'must not be empty' }).max(200, { error: 'must be at most 200 characters' }))
    .max(MAX_STOP_SEQUENCES, { error: `must contain at most ${MAX_STOP_SEQUENCES} stop sequences` })
    .nullable()
    .default(null)
    .describe('Texts at which the model stops its response.'),
  reasoningEffort: oneOf(REASONING_EFFORTS)
    .nullable()
    .default(null)
    .describe('How much a reasoning model thinks before it answers.'),
  providerOptions: z
    .record(z.string(), anyJson, { error: 'must be a JSON object' })
    .refine((options) => JSON.stringify(options).length <= MAX_PROVIDER_OPTIONS_LENGTH, {
      error: `must be at most ${MAX_PROVIDER_OPTIONS_LENGTH.toLocaleString('en-US')} characters of JSON`,
    })
    .nullable()
    .default(null)
    .describe('Provider options of the AI SDK, as a JSON object.'),
  headers: visibleHeadersSchema
    .nullable()
    .default(null)
    .describe('Extra headers of the request, by name. Not for secrets: add those to the provider.'),
};

const roleSchema = z.strictObject({ maxOutputTokens, ...shared });
const ofRole = roleSchema.nullable().default(null);

/** Model settings per role, except the temperature. `callSettings` resolves null. */
export const modelSettingsSchema = z.strictObject({
  generate: ofRole,
  /** Its token limit is `revision.maxTokens`. */
  revise: z.strictObject(shared).nullable().default(null),
  evaluate: ofRole,
  reflect: ofRole,
  lesson: ofRole,
  worker: ofRole,
});
export type ModelSettings = z.infer<typeof modelSettingsSchema>;
export type ModelSettingsRole = keyof ModelSettings;

/** Settings of one role. The token limit of revisions is a separate setting. */
export type RoleSettings = z.infer<typeof roleSchema>;
const NOTHING_SET = roleSchema.parse({});

/** Settings of a request, except temperature and token limit. Unset ones are omitted. */
export const samplingSchema = z.object({
  topP: z.number().exactOptional(),
  seed: z.int().exactOptional(),
  stopSequences: z.array(z.string()).exactOptional(),
  reasoningEffort: z.enum(REASONING_EFFORTS).exactOptional(),
  providerOptions: z.record(z.string(), anyJson).exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
});
export type SamplingSettings = z.infer<typeof samplingSchema>;

const SAMPLING_SETTINGS = samplingSchema.keyof().options;

/**
 * Returns the settings of a role as sent in its calls. Revisions and workers inherit unset values from the drafts. Provider options and
 * headers only apply to one provider, so a worker at another provider does not inherit them.
 */
export function roleSettings(
  { generator, modelSettings }: { generator: ModelReference; modelSettings: ModelSettings },
  role: ModelSettingsRole,
  model: ModelReference = generator,
): RoleSettings {
  const ofRole: RoleSettings = { ...NOTHING_SET, ...modelSettings[role] };
  if (role === 'generate' && model.provider !== generator.provider)
    return { ...ofRole, providerOptions: null, headers: null };
  if (role !== 'revise' && role !== 'worker') return ofRole;
  const { providerOptions, headers, ...drafts } = { ...NOTHING_SET, ...modelSettings.generate };
  const inherited = model.provider === generator.provider ? { ...drafts, providerOptions, headers } : drafts;
  const set = Object.fromEntries(Object.entries(ofRole).filter(([, value]) => value !== null));
  return { ...ofRole, ...inherited, ...set };
}

/**
 * Returns the model settings for a generator that is replaced by `model`. At another provider, the drafts lose the provider options and
 * headers, because these were set for one provider and may name its accounts.
 */
export function modelSettingsAt(
  settings: { generator: ModelReference; modelSettings: ModelSettings },
  model: ModelReference,
): ModelSettings {
  const { modelSettings } = settings;
  return { ...modelSettings, generate: modelSettings.generate && roleSettings(settings, 'generate', model) };
}

/** Returns the settings of a role that are set, or undefined if there are none, so that such requests stay unchanged. */
export function samplingOf(settings: RoleSettings): SamplingSettings | undefined {
  const set = SAMPLING_SETTINGS.flatMap((name) => (settings[name] === null ? [] : [[name, settings[name]]]));
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

/** True if any role has a seed. */
export function hasSeed({ modelSettings }: { modelSettings: ModelSettings }): boolean {
  return Object.values(modelSettings).some((role) => role !== null && role.seed !== null);
}

/** Returns a request with its seed shifted by `shift`. Requests without a seed are unchanged. */
export function withShiftedSeed<Request extends { sampling?: SamplingSettings }>(
  request: Request,
  shift: number,
): Request {
  const { sampling } = request;
  if (shift === 0 || sampling?.seed === undefined) return request;
  return { ...request, sampling: { ...sampling, seed: (sampling.seed + shift) % (MAX_SEED + 1) } };
}
