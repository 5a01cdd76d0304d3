import { z } from 'zod';
import { isRecord } from '#lib/core/is-record.ts';
import { areUnique, integerBetween, mustBe, nameSchema, promptTextSchema } from '#lib/core/setting-parts.ts';
import { showValue } from '#lib/core/text-values.ts';
import { DELEGATE_TOOL, MAIN_AGENT, usedTools } from './tool-calls.ts';

export const BUILT_IN_TOOLS = ['calculator', 'javascript', 'lesson_search', 'http_get'] as const;
export type BuiltInTool = (typeof BUILT_IN_TOOLS)[number];

export const BASE_TYPES = ['single', 'react', 'supervisor'] as const;
export type BaseType = (typeof BASE_TYPES)[number];

/** Name of a tool in settings and for models: a built-in tool, or `server__tool` of an MCP server. */
const toolNameSchema = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/, {
    error: mustBe('the name of a tool (letters, digits, _ and -, at most 64 characters)'),
  })
  .refine((name) => name !== DELEGATE_TOOL, {
    error: `must not be ${DELEGATE_TOOL}, which every supervisor already has`,
  });

export const toolsSchema = z
  .array(toolNameSchema)
  .max(50, { error: 'must contain at most 50 tools' })
  .refine(areUnique, { error: 'must not name a tool twice' });

/** Maximum turns of one agent on one task. */
const maxStepsSchema = integerBetween(1, 200);

const toolUse = {
  tools: toolsSchema.default([]),
  /** Tools that need a person's approval before each use. */
  approve: toolsSchema.default([]),
  /** Hosts that `http_get` may request: `example.org`, or `*.example.org` for all its subdomains. */
  httpHosts: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^(\*\.)?[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?(:\d{1,5})?$/, {
          error: mustBe('a host such as example.org or *.example.org'),
        }),
    )
    .max(50, { error: 'must contain at most 50 hosts' })
    .default([]),
};

/** Maximum number of workers of one supervisor. */
export const MAX_WORKERS = 12;

const workerSchema = z
  .strictObject({
    name: nameSchema.refine((name) => name !== MAIN_AGENT, {
      error: `must not be ${MAIN_AGENT}: that is the supervisor`,
    }),
    /** When to delegate to this worker. Shown to the supervisor. */
    description: z.string().trim().max(500, { error: 'must be at most 500 characters' }).default(''),
    instructions: promptTextSchema.default(''),
    /** Null to use the generator's. */
    provider: nameSchema.nullable().default(null),
    model: z.string().trim().min(1, { error: 'must name a model' }).max(200).nullable().default(null),
    tools: toolsSchema.default([]),
    maxSteps: maxStepsSchema.default(6),
  })
  .refine(({ provider, model }) => (provider === null) === (model === null), {
    path: ['model'],
    error: 'must be set together with provider. Leave both out to use the generator',
  });
export type WorkerSettings = z.infer<typeof workerSchema>;

const turns = { maxSteps: maxStepsSchema.default(10), stallAfter: integerBetween(2, 20).default(3) };

/** Label, description and settings schema of each base. */
export const AGENT_BASES = {
  single: {
    label: 'one call',
    help: 'Default. The model answers in one call',
    schema: z.strictObject({ type: z.literal('single') }),
  },
  react: {
    label: 'an agent: thinks and uses tools, turn by turn',
    help: 'Each turn is a thought and either tools to use or the answer (ReAct). The instructions are the agent’s',
    schema: z.strictObject({ type: z.literal('react'), ...toolUse, ...turns }),
  },
  supervisor: {
    label: 'a supervisor: delegates tasks to workers that you define',
    help: 'An agent that delegates tasks to named workers. Tasks that it delegates in one turn run in parallel',
    schema: z.strictObject({
      type: z.literal('supervisor'),
      workers: z
        .array(workerSchema)
        .min(1, { error: 'must contain at least one worker' })
        .max(MAX_WORKERS, { error: `must contain at most ${MAX_WORKERS} workers` })
        .refine((workers) => areUnique(workers.map(({ name }) => name)), {
          error: 'must not contain two workers with the same name',
        }),
      ...toolUse,
      ...turns,
    }),
  },
} satisfies Record<BaseType, { label: string; help: string; schema: z.ZodObject }>;

/**
 * The way an attempt is made: by one call, by an agent that thinks and uses tools, or by a supervisor that delegates to named workers.
 * `maxSteps` limits the turns of one agent on one task. `stallAfter` ends an attempt after that many identical turns in a row. Source:
 * ReAct (Yao et al. 2022).
 */
export const baseSchema = z
  .discriminatedUnion('type', [AGENT_BASES.single.schema, AGENT_BASES.react.schema, AGENT_BASES.supervisor.schema], {
    error: ({ input }) => typeMessage(input),
  })
  .superRefine((base, context) => {
    if (base.type === 'single') return;
    const used = new Set(base.type === 'supervisor' ? base.workers.flatMap(({ tools }) => tools) : []);
    for (const tool of base.tools) used.add(tool);
    const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
    for (const [index, tool] of base.approve.entries())
      if (!used.has(tool)) refuse(['approve', index], `must be one of the tools, got ${tool}`);
    if (used.has('http_get') && base.httpHosts.length === 0)
      refuse(['httpHosts'], 'must name at least one host if http_get is a tool');
  });
export type BaseSettings = z.infer<typeof baseSchema>;
export type AgentBase = Exclude<BaseSettings, { type: 'single' }>;

function typeMessage(input: unknown): string {
  if (!isRecord(input)) return `must be an object, got ${showValue(input)}`;
  return `must be one of ${BASE_TYPES.join(', ')}, got ${showValue(input.type)}`;
}

type Checked = {
  mode: string;
  generator: { base: BaseSettings };
  triggers: { stepInterval: number | null; onTools: string[] };
};

/** A setting that is incompatible with others: its path, and the reason as the end of a sentence. */
export type SettingProblem = { path: (string | number)[]; message: string };

/** Returns the settings that are incompatible with the base of an experiment's attempts. */
export function baseProblems({
  mode,
  generator: { base },
  triggers: { stepInterval, onTools },
}: Checked): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const refuse = (path: SettingProblem['path'], message: string) => problems.push({ path, message });
  // In tune mode, an agent answers many cases in parallel, without people and without critiques between its turns.
  if (mode === 'tune' && base.type === 'supervisor')
    refuse(
      ['generator', 'base'],
      'must be single or react in tune mode (workers of a supervisor are not tuned), got supervisor',
    );
  if (mode === 'tune' && base.type === 'react') {
    if (base.approve.length > 0)
      refuse(
        ['generator', 'base', 'approve'],
        'must be empty in tune mode, because no reviewer decides while cases are tested',
      );
    if (stepInterval !== null)
      refuse(
        ['triggers', 'stepInterval'],
        `must be null in tune mode (turns are not critiqued), got ${showValue(stepInterval)}`,
      );
    if (onTools.length > 0) refuse(['triggers', 'onTools'], 'must be empty in tune mode (turns are not critiqued)');
  }
  if (base.type === 'single' && stepInterval !== null)
    refuse(['triggers', 'stepInterval'], `must be null (a single call has no steps), got ${showValue(stepInterval)}`);
  const tools = usedTools(base);
  const expected = base.type === 'single' ? 'left out (a single call uses no tools)' : "one of the agent's tools";
  for (const [index, tool] of onTools.entries())
    if (!tools.includes(tool)) refuse(['triggers', 'onTools', index], `must be ${expected}, got ${showValue(tool)}`);
  return problems;
}
