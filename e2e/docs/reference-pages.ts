import { z } from 'zod';
import { stopMeaning } from '#components/run/stop-reason-labels.ts';
import { keyLabel, keysOf } from '#components/ui/shortcut-keys.ts';
import { SHORTCUT_GROUPS } from '#components/ui/shortcuts.ts';
import { API } from '#lib/api/routes.ts';
import type { ConfigField } from '#lib/core/criteria/definition.ts';
import { criterionDefinition, EVALUATOR_KINDS } from '#lib/core/criterion.ts';
import { criterionShared } from '#lib/core/criterion-schema.ts';
import { DECISION_KINDS, type DecisionKind, decisionKind } from '#lib/core/decision-kinds.ts';
import { settingsSchema, TUNING_STRATEGIES } from '#lib/core/settings.ts';
import { STOP_REASON_DEFINITIONS, STOP_REASONS, stopName } from '#lib/core/stop-reasons.ts';
import { STRATEGIES, USED_BY_VARIATIONS } from '#lib/core/tuning/strategies/registry.ts';
import { STRATEGY_SETTINGS } from '#lib/core/tuning/strategies/strategy.ts';
import { caseInputSchema } from '#lib/datasets/case-input.ts';
import { ENVIRONMENT_VARIABLES, RATE_NAMES, type RateName, TEAM_RATES } from '#lib/environment.ts';
import { validatorRequestSchema } from '#lib/evaluators/evaluator.ts';
import { validatorAnswerSchema } from '#lib/evaluators/webhook.ts';
import { RUN_COLUMNS, VERSION_COLUMNS } from '#lib/exchange/export-runs.ts';
import { importLineSchema } from '#lib/exchange/import-line.ts';
import { lessonLineSchema } from '#lib/lessons/exchange/exchanged-lesson.ts';
import { signBody } from '#lib/outgoing/sign-body.ts';
import { ENVIRONMENT_KINDS, PROVIDER_DEFINITIONS } from '#lib/providers/provider-kinds.ts';
import { RUN_EVENTS } from '#lib/runs/run-events.ts';
import { pauseRequestSchema } from '#lib/worker/webhooks/pause-delivery.ts';

/** Returns the pages of `docs/reference` that are generated from the code, by file name. */
export function referencePages(): Record<string, string> {
  return {
    'settings.md': settingsPage(),
    'evaluators.md': evaluatorsPage(),
    'stop-reasons.md': stopReasonsPage(),
    'tuning-strategies.md': strategiesPage(),
    'decisions.md': decisionsPage(),
    'environment.md': environmentPage(),
    'api.md': apiPage(),
    'keyboard.md': keyboardPage(),
    'events.md': eventsPage(),
    'webhooks.md': webhooksPage(),
    'export-formats.md': exportFormatsPage(),
  };
}

function page(title: string, description: string, parts: readonly string[]): string {
  return `---\ntitle: ${title}\ndescription: ${description}\n---\n\n${parts.join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

const code = (text: string) => `\`${text}\``;

/** Fields of a JSON Schema that the generator reads. */
type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  description?: string;
  $ref?: string;
  $defs?: Record<string, Schema>;
};

/** Returns a Zod schema as JSON Schema with its `$defs` inlined. */
function schemaOf(schema: z.ZodType): Schema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as Schema;
    const named = $ref === undefined ? {} : $defs[$ref.replace('#/$defs/', '')];
    return Object.fromEntries(Object.entries({ ...named, ...rest }).map(([key, inner]) => [key, fill(inner)]));
  };
  return fill(root) as Schema;
}

type Setting = { path: string; schema: Schema };

/** Returns the settings that hold a value, with their paths. Nullable objects count as objects. */
function settingsOf(schema: Schema, path = ''): Setting[] {
  const object = [schema, ...(schema.anyOf ?? [])].find(({ properties }) => properties !== undefined);
  const isWhole = object?.properties === undefined || (path !== '' && schema.description !== undefined);
  if (isWhole) return [{ path, schema }];
  return Object.entries(object.properties ?? {}).flatMap(([name, inner]) =>
    settingsOf(inner, path === '' ? name : `${path}.${name}`),
  );
}

/** Maximum number of values or fields listed in a table cell. Longer lists are not readable there. */
const MOST_NAMED = 12;

function valuesOf(schema: Schema): string {
  const alternatives = (schema.anyOf ?? schema.oneOf)?.map(valuesOf);
  if (alternatives !== undefined) return [...new Set(alternatives)].join(' or ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => valuesOf({ ...schema, type })).join(' or ');
  if (schema.type === 'null') return 'null';
  if (schema.enum !== undefined && schema.enum.length > MOST_NAMED) return 'text';
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(', ');
  if (schema.const !== undefined) return code(String(schema.const));
  if (schema.type === 'number' || schema.type === 'integer') {
    const kind = schema.type === 'integer' ? 'whole number' : 'number';
    if (schema.minimum === undefined || schema.maximum === undefined) return kind;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) return kind;
    return `${kind} from ${schema.minimum.toLocaleString('en-US', { maximumFractionDigits: 20 })} to ${schema.maximum.toLocaleString('en-US')}`;
  }
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'array') return 'list';
  if (schema.type === 'string') return 'text';
  const names = Object.keys(schema.properties ?? {});
  if (names.length > 0 && names.length <= MOST_NAMED) return `object with ${names.map(code).join(', ')}`;
  return String(schema.type ?? 'any value');
}

function settingsPage(): string {
  const schema = schemaOf(settingsSchema);
  const groups = Map.groupBy(settingsOf(schema), ({ path }) => (path.includes('.') ? path.split('.', 1)[0] : ''));
  const parts = [...groups].map(([group = '', settings]) => {
    const rows = settings.map(({ path, schema: setting }) => [
      code(path),
      valuesOf(setting),
      setting.default === undefined ? '' : code(JSON.stringify(setting.default)),
      setting.description ?? '',
    ]);
    return `## ${group === '' ? 'General' : group}\n\n${table(['setting', 'values', 'default', 'meaning'], rows)}`;
  });
  return page('Experiment settings', 'Every setting of an experiment with its values and default.', [
    'These are the settings that the form edits and that `POST /api/v1/experiments` takes next to `name`. Missing settings take their default. Unknown settings are refused.',
    ...parts,
  ]);
}

function evaluatorsPage(): string {
  const kinds = EVALUATOR_KINDS.map((kind) => {
    const { label, fields } = criterionDefinition(kind);
    const rows = Object.entries(fields).map(([name, field]) => [
      code(name),
      field.label,
      fieldValues(field),
      field.help ?? '',
    ]);
    const settings = rows.length === 0 ? 'It has no settings.' : table(['config', 'label', 'values', 'help'], rows);
    return `## ${kind}\n\nIn the form: **Scored by → ${label}**.\n\n${settings}`;
  });
  const shared = schemaOf(z.object(criterionShared));
  const rows = settingsOf(shared).map(({ path, schema }) => [
    code(path),
    valuesOf(schema),
    schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
    schema.description ?? '',
  ]);
  return page('Evaluators', 'Every evaluator kind with its settings.', [
    'A criterion names its evaluator in `evaluator`. The settings of the evaluator are in `config`.',
    `## Settings of every criterion\n\n${table(['setting', 'values', 'default', 'meaning'], rows)}`,
    ...kinds,
  ]);
}

function fieldValues(field: ConfigField): string {
  switch (field.type) {
    case 'select':
      return field.options.map(({ value }) => code(value)).join(', ');
    case 'checkbox':
      return `true or false, ${field.initially} by default`;
    case 'number':
      return 'number';
    case 'list':
      return 'list of texts';
    case 'json':
      return 'JSON';
    case 'code':
      return field.language === 'python' ? 'Python' : 'JavaScript';
    case 'webhook':
      return 'name of a webhook';
    case 'text':
    case 'textarea':
      return 'text';
  }
}

function stopReasonsPage(): string {
  const settings = settingsSchema.parse({
    mode: 'revise',
    taskType: 'writing',
    generator: { provider: 'practice', model: 'practice-1' },
    budget: { maxCalls: 10, maxTokens: 10_000, maxCostUsd: 1, maxSeconds: 60 },
  });
  const rows = STOP_REASONS.map((reason) => [
    code(reason),
    stopName(reason),
    stopMeaning(reason, settings),
    STOP_REASON_DEFINITIONS[reason].status,
  ]);
  return page('Stop reasons', 'Every reason why a run can end, in the order in which they are checked.', [
    'A run ends for the first reason that holds. Runs with the status `failed` or `stopped` can be resumed. Numbers in the meanings are those of the default settings.',
    table(['stop reason', 'label', 'meaning', 'status of the run'], rows),
  ]);
}

function strategiesPage(): string {
  const sections = TUNING_STRATEGIES.map((name) => {
    const { label, description, limits, uses, source } = STRATEGIES[name];
    const facts = [
      `- Limits: ${limits}`,
      `- Settings of \`tune\` that it uses: ${uses.map(code).join(', ')}`,
      `- Source: ${source}`,
    ];
    return `## ${name}\n\nIn the form: **${label}**.\n\n${description}\n\n${facts.join('\n')}`;
  });
  return page('Tuning strategies', 'How a tuning run looks for better prompts.', [
    'The setting `tune.strategy` chooses one. Budgets, limits, anchor cases, the final test and the decisions of reviewers work the same way with all of them. A reviewer who asks for a proposal gets one from the reflection model, whatever the strategy.',
    ...sections,
    `## Settings without an effect\n\nA strategy ignores the settings in this list that it does not use: ${STRATEGY_SETTINGS.map(code).join(', ')}. Hone warns before a run starts if an ignored setting was changed. A parameter search uses ${USED_BY_VARIATIONS.map(code).join(', ')} with every strategy.`,
  ]);
}

/** Keyboard shortcut of each decision on the run page, and its effect. */
const DECISION_EFFECTS: Record<DecisionKind, { key: string; effect: string }> = {
  accept: { key: 'a', effect: 'Ends the run with the version you name. Also works on ended runs.' },
  continue: { key: 'c', effect: 'Continues, whatever the stop rules say. At the limit with one more iteration.' },
  revise: { key: 'g', effect: 'Continues from the version you name, with your guidance in the prompt.' },
  revert: { key: 'r', effect: 'Continues from an earlier version. Not in retry mode.' },
  auto: { key: '', effect: 'Lets the rules decide.' },
  stop: { key: 's', effect: 'Ends the run. It can be resumed.' },
  allow: { key: 'a', effect: 'Allows an agent to use a tool, with other arguments if you give them.' },
  refuse: { key: 'r', effect: 'Refuses a tool. The agent sees the reason.' },
  edit: { key: 'e', effect: 'Makes your text the next version. It is scored, and the run waits again.' },
  merge: { key: 't', effect: 'Makes a version of the changes you took. It has two parents and is scored.' },
  score: { key: 'y', effect: 'Gives the score of a `human` criterion that the run waits for.' },
  override: { key: 'o', effect: "Sets your score. The loop uses it instead of the machine's, which is kept too." },
  restore: { key: '', effect: 'Restores the score that was overridden.' },
  resume: { key: '', effect: 'Continues a run that ended.' },
};

function decisionsPage(): string {
  const rows = DECISION_KINDS.map((kind) => {
    const { fields } = decisionKind(kind);
    const names = Object.entries(fields).map(([name, need]) => (need === 'optional' ? `${code(name)}?` : code(name)));
    const { key, effect } = DECISION_EFFECTS[kind];
    return [code(kind), key === '' ? '' : code(key), names.join(', '), effect];
  });
  return page('Decisions', 'Every decision with its key, its fields and its effect.', [
    'People decide on the run page or in the inbox. Programs send `POST /api/v1/runs/{id}/decisions` with `decision` and the fields below. Fields with `?` are optional. `reason` can be sent with every decision.',
    table(['decision', 'key', 'fields', 'effect'], rows),
  ]);
}

const RATE_MEANINGS: Record<RateName, string> = {
  requests: 'all requests of a person, an API token or an address without a sign-in',
  start: 'starting, resuming and branching runs, tuning, controls and trials',
  read: 'compare, insights, reports, search, exports and estimates',
  import: 'imports and new datasets',
  test: 'tests of providers, MCP servers and webhooks',
  backup: 'backups and retention',
  password: 'sign-ins, invitations, password links and API tokens',
  streams: 'runs that a person follows live, at the same time',
};

function environmentPage(): string {
  const rows = Object.entries(ENVIRONMENT_VARIABLES).map(([name, { summary, initially, allowed }]) => [
    code(name),
    initially,
    summary,
    allowed,
  ]);
  const keys = ENVIRONMENT_KINDS.map((kind) => PROVIDER_DEFINITIONS[kind].keyVariable).filter((name) => name !== null);
  const rates = RATE_NAMES.map((name) => [code(name), TEAM_RATES[name].toLocaleString('en-US'), RATE_MEANINGS[name]]);
  return page('Environment variables', 'Every environment variable with its default and its values.', [
    'All variables are optional in local mode. Set them in the shell or in a file `.env` next to `package.json`. A wrong value stops the start with a message that names the variable and the remedy.',
    table(['variable', 'default', 'meaning', 'values'], rows),
    `## Provider keys\n\nHone automatically finds these keys: ${keys.map((name) => code(String(name))).join(', ')}.`,
    '## Tracing\n\n`OTEL_EXPORTER_OTLP_ENDPOINT` and its standard companions name a collector of [traces](../operations/monitoring.md#traces).',
    `## Rate limits\n\n\`HONE_RATE_LIMITS\` takes \`name=number\` pairs, separated by commas. \`0\` turns a limit off, \`off\` turns off all. In local mode the defaults are ten times as high. Each process counts on its own.\n\n${table(['limit', 'per minute', 'what counts'], rates)}`,
  ]);
}

function apiPage(): string {
  const parts = Object.entries(API).map(([tag, routes]) => {
    const rows = Object.values(routes).map(({ name, summary, role, scopes }) => [
      code(name),
      summary,
      role,
      scopes === null ? '' : scopes.length === 0 ? 'any' : scopes.map(code).join(' or '),
    ]);
    return `## ${tag}\n\n${table(['operation', 'what it does', 'role', 'token scope'], rows)}`;
  });
  return page('API', 'Every operation of the HTTP API with its role and token scope.', [
    '`GET /api/v1/openapi.json` describes requests and responses. [Run an experiment by API](../how-to/run-an-experiment-by-api.md) has examples in curl, TypeScript and Python.',
    'Errors have the form `{"error": {"code", "message", "field"}}` with a matching HTTP status. If several fields are wrong, `problems` lists them all. Lists have `items` and `nextCursor`.',
    ...parts,
  ]);
}

function keyboardPage(): string {
  const shownKeys = (shown: string) =>
    shown.startsWith('mod ') ? code(shown.replace('mod ', 'Ctrl+')) : shown.split(' ').map(code).join(' or ');
  const parts = SHORTCUT_GROUPS.map(({ name, shortcuts }) => {
    const rows = shortcuts.map((shortcut) => [
      shownKeys('id' in shortcut ? keysOf(shortcut.id, {}).map(keyLabel).join(' ') : shortcut.shown),
      shortcut.does,
    ]);
    return `## ${name}\n\n${table(['key', 'what it does'], rows)}`;
  });
  return page('Keyboard shortcuts', 'Every key, by the page where it works.', [
    'Single keys do nothing while you type in a field and while a menu is open. Press `?` to see this list in the app. On a Mac, use `⌘` for `Ctrl`.',
    'To change single keys or to switch them off, open **Your account** and go to **Keyboard**. Both are saved in your browser.',
    ...parts,
  ]);
}

/** Returns a table of an object's fields with their values, defaults and descriptions. */
function fieldsTable(schema: z.ZodType): string {
  const { properties = {} } = schemaOf(schema);
  const fields = Object.entries(properties);
  const hasDefaults = fields.some(([, field]) => field.default !== undefined);
  const rows = fields.map(([name, field]) => [
    code(name),
    valuesOf(field),
    ...(hasDefaults ? [field.default === undefined ? '' : code(JSON.stringify(field.default))] : []),
    field.description ?? '',
  ]);
  return table(['field', 'values', ...(hasDefaults ? ['default'] : []), 'meaning'], rows);
}

function eventsPage(): string {
  const rows = Object.entries(RUN_EVENTS).map(([type, { when, data }]) => [
    code(type),
    when,
    Object.keys(data.shape).map(code).join(', '),
  ]);
  return page('Run events', 'Every event of a run with its data.', [
    '`GET /api/v1/runs/{id}/events` is a stream of server-sent events. It starts with the first event, follows the run live and ends with it.',
    table(['event', 'when', 'data'], rows),
    '## The stream\n\nEach event has a number as its `id`, its name as `event` and its data as JSON:\n\n```text\nid: 3\nevent: evaluated\ndata: {"version":0,"score":0.62}\n```',
    'After a broken connection, send the last number as `Last-Event-ID` or `?lastEventId=`. The stream continues after it. Status 204 means that nothing is left to send.',
    'While a model writes, events named `text` carry its words in `role` and `text`. They have no number. `start` marks a piece that holds everything so far. One follows a numbered event if a call is in progress.',
  ]);
}

/** Sample request that readers can verify their signature code with. */
const SIGNED_SAMPLE = { secret: 'whsec_example', timestamp: '1767225600', body: '{"output":"Paris"}' };

function webhooksPage(): string {
  const { secret, timestamp, body } = SIGNED_SAMPLE;
  const headers = [
    [code('hone-delivery'), 'An ID that is the same in all tries of a delivery.'],
    [code('hone-timestamp'), 'Seconds since 1970. Refuse what is older than five minutes.'],
    [code('hone-signature'), 'HMAC-SHA256 of `timestamp.body` with the secret, in hexadecimal.'],
  ];
  return page('Webhooks', 'What Hone sends to webhooks, what they answer, and how both are signed.', [
    'Hone sends `POST` with JSON. [Score with a webhook](../how-to/score-with-a-webhook.md) and [decide with a webhook](../how-to/use-webhooks.md) show how to use them.',
    `## Signature\n\nEvery request has these headers:\n\n${table(['header', 'content'], headers)}`,
    `Sign the bytes of the body as they arrive, before you parse them. Check your code with this example:\n\n${table(
      ['part', 'value'],
      [
        ['secret', code(secret)],
        ['timestamp', code(timestamp)],
        ['body', code(body)],
        ['signature', code(signBody(secret, timestamp, body))],
      ],
    )}`,
    `## A request for a score\n\n${fieldsTable(validatorRequestSchema.extend({ run: z.string().nullable().meta({ description: 'The ID of the run. `null` outside of a run.' }) }))}`,
    `The answer is JSON with status 200. It needs no signature.\n\n${fieldsTable(validatorAnswerSchema)}`,
    `## A request for a decision\n\n${fieldsTable(pauseRequestSchema)}`,
    'The answer is a [decision](decisions.md) with `pauseId` and `delivery` of the request, signed in the same way. Status 204, or a signed `"decision": null`, leaves it to others.',
  ]);
}

function exportFormatsPage(): string {
  const columns = (all: readonly (readonly [string, string, unknown])[]) =>
    table(
      ['column', 'content'],
      all.map(([name, meaning]) => [code(name), meaning]),
    );
  return page('Export formats', 'The fields and columns of every file that Hone exports and imports.', [
    'JSONL files have one JSON object per line, in UTF-8. CSV files have a header row. In CSV, a cell that a spreadsheet would take for a formula begins with an apostrophe. So does an input that is a text and looks like a list of messages. [Export data](../how-to/export-data.md) says where to find each.',
    `## Runs as JSONL\n\nOne line per version. \`GET /api/v1/export/runs?format=jsonl\` writes it, and \`POST /api/v1/runs/import\` reads it.\n\n${fieldsTable(importLineSchema)}`,
    `## Runs as CSV\n\nOne row per run, with \`format=runs\`. An unscored run has empty scores.\n\n${columns(RUN_COLUMNS)}`,
    `## Versions as CSV\n\nOne row per version, with \`format=versions\`.\n\n${columns(VERSION_COLUMNS)}`,
    `## Datasets as JSONL\n\nOne line per case. The export is exact.\n\n${fieldsTable(caseInputSchema)}`,
    '## Datasets as CSV\n\nOne row per case with `input`, `reference` and `tags` (separated by `;`). Each key of the metadata is a column such as `metadata.topic`. Cases with criteria of their own have them as JSON in `criteria`.\n\nAn import of the file restores every input, reference, tag and text of the metadata:\n\n- It removes one apostrophe before a text that a spreadsheet would take for a formula.\n- An apostrophe alone is an empty text. An empty cell is no text.\n- A tag that contains `;` is quoted as in CSV: `"a;b";c` are two tags.\n- Numbers and other values of the metadata come back as text.\n\nThis applies to files that have the columns `input`, `reference` and `tags`, and besides them only `criteria` and `metadata.` columns. In other files, apostrophes are part of the text.',
    `## Lessons as JSONL\n\n${fieldsTable(lessonLineSchema)}`,
    '## Lessons as Markdown\n\nA tar archive with one file per lesson, in `memory/reflections/<agent>/`. The front matter has the fields of the JSONL, and the body has the text. Archived lessons are in `archive/<year>/` below it.',
    '## Prompts as JSON\n\nOne prompt version: `name`, `version` (its number), `text`, `tools`, `responseSchema` and `variables` (names of its variables). **Copy as code** on a prompt and **Export** on a tuning run write it. `GET /api/v1/prompts/{name}` returns these fields and others.',
    '## Prompts as a DSPy program\n\nThe JSON that `program.save("program.json")` of DSPy writes: `signature` with `instructions` and `fields`, `demos`, `traces`, `train` and `lm` for each predictor. A single `dspy.Predict` is the object itself. A `dspy.ChainOfThought` is under `predict`, and components are under their names. `metadata.dependency_versions` is empty. `GET /api/v1/prompts/{name}/dspy` writes it, and `POST /api/v1/prompt-imports` reads it.',
    '## GEPA results\n\n`POST /api/v1/prompt-imports` reads `GEPAResult.to_dict()` as JSON, of gepa 0.0 and 0.1: `candidates` (up to 1,000), `parents`, `val_aggregate_scores` and `val_subscores`. Other fields are ignored. [Import from GEPA or DSPy](../how-to/import-from-gepa-or-dspy.md) says what they become.',
  ]);
}
