import { messagesOfPrompt, type PromptMessage, promptOfMessages } from '#lib/core/chat/chat-prompt.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import {
  MAX_PROMPT_TOOLS,
  type PromptOptions,
  responseSchemaSchema,
  toolDefinitionSchema,
} from '#lib/core/prompt-options.ts';
import { isInputName } from '#lib/datasets/suggest-mapping.ts';
import { readYaml } from '#lib/formats/read-yaml.ts';
import { isTooDeep, MAX_DEPTH, parseInput } from '#lib/input/parse-input.ts';
import { NO_OPTIONS, type PromptFileFormat } from '../prompt.ts';

/** A prompt of another tool, with Hone's variables. `notTaken`: parts that were not imported, and why. */
export type PromptFile = { format: PromptFileFormat; text: string; notTaken: string[] } & PromptOptions;

type Fields = Readonly<Record<string, unknown>>;
/** What a reader found in a file, in the syntax of its tool. */
type Found = { messages: string | PromptMessage[]; syntax: Syntax; options?: unknown; notTaken: string[] };

/** How a tool writes variables. `literal`: converts what is not a variable to plain text. */
type Syntax = { variable: RegExp; literal?: (text: string) => string };
const BRACES: Syntax = { variable: /\{\{\{?-?\s*(?!else\b)([\w.-]+)\s*-?\}?\}\}/g };
const SYNTAXES = {
  /** Python's `str.format`: `{name}`, and `{{` for a brace. */
  'f-string': {
    variable: /(?<!\{)(?:\{\{)*\{([A-Za-z_]\w*)\}/g,
    literal: (text) => text.replaceAll('{{', '{').replaceAll('}}', '}'),
  },
  mustache: { ...BRACES, literal: (text) => text.replaceAll(/\{\{!(?:--[\s\S]{0,1000}?--|[^{}]*)\}\}/g, '') },
  jinja2: { ...BRACES, literal: (text) => text.replaceAll(/\{#[\s\S]{0,1000}?#\}/g, '') },
} satisfies Record<string, Syntax>;

/** Logic, filters, partials and helpers, which prompts of Hone do not have. */
const LOGIC = /\{%[^%]{0,1000}%\}|\{\{(?:[#^/>&@]|\s*else)[^{}]*\}\}|\{\{\s*[^{}\s][^{}\s|([]*[\s|([][^{}]*\}\}/g;

type JsonReader = { format: PromptFileFormat; read: (value: unknown) => Result<Found> | null };
/** Readers of JSON files. The first that knows a value reads it. */
const JSON_READERS: readonly JsonReader[] = [
  { format: 'langfuse', read: readLangfuse },
  { format: 'langchain', read: readLangChain },
  { format: 'github', read: readGitHub },
  { format: 'openai', read: readOpenAi },
];

/** Parses a prompt that another tool wrote as JSON. Returns null for other values. */
export function readJsonPrompt(value: unknown): Result<PromptFile> | null {
  if (isTooDeep(value)) return tooDeep();
  for (const { format, read } of JSON_READERS) {
    const found = read(value);
    if (found !== null) return found.ok ? promptOf(format, found.value) : found;
  }
  return null;
}

const FRONT_MATTER = /^\s*---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/;
/** A line of Prompty that begins a message. */
const PROMPTY_ROLE = /^[ \t]*(?:#[ \t]*)?(system|developer|user|assistant)[ \t]*(?:\[[^\]\n]*\][ \t]*)?:[ \t]*$/im;
const HANDLEBARS_ROLE = /\{\{\s*(?:role\s+(?:"[^"{}]*"|'[^'{}]*')|history)\s*\}\}/g;

/**
 * Parses a `.prompty` or `.prompt` file (YAML front matter and a template), or messages as YAML. Returns null for JSON and other texts.
 */
export async function readYamlPrompt(file: string): Promise<Result<PromptFile> | null> {
  const [, front, body = ''] = FRONT_MATTER.exec(file.replaceAll('\r\n', '\n')) ?? [];
  if (front === undefined) {
    const yaml = /^messages:/m.test(file) ? await readYaml(file) : null;
    return yaml === null ? null : yaml.ok ? readJsonPrompt(yaml.value) : yaml;
  }
  const read = await readYaml(front);
  if (!read.ok) return fail('invalid', `The front matter of the file is not valid: ${read.problem.message}`, 'file');
  if (isTooDeep(read.value)) return tooDeep();
  const fields = isRecord(read.value) ? read.value : {};
  const isPrompty = PROMPTY_ROLE.test(body) || isRecord(fields.model) || 'inputs' in fields || 'authors' in fields;
  return isPrompty
    ? promptOf('prompty', readPrompty(fields, body))
    : promptOf('dotprompt', readDotprompt(fields, body));
}

function readPrompty(fields: Fields, body: string): Found {
  const parts = body.split(new RegExp(PROMPTY_ROLE, 'gim'));
  const [before = ''] = parts;
  const messages: PromptMessage[] = before.trim() === '' ? [] : [{ role: 'system', text: before }];
  for (let at = 1; at < parts.length; at += 2)
    messages.push({ role: roleOf(parts[at]?.toLowerCase()) ?? 'user', text: parts[at + 1] ?? '' });
  const model: Fields = isRecord(fields.model) ? fields.model : {};
  const template = isRecord(fields.template) ? (fields.template.format ?? fields.template.type) : fields.template;
  const kind = isRecord(template) ? template.kind : template;
  return {
    messages,
    syntax: kind === 'mustache' ? SYNTAXES.mustache : SYNTAXES.jinja2,
    options: model.parameters,
    notTaken: notTakenOf(fields, ['model', 'sample', 'inputs', 'inputSchema', 'tools']),
  };
}

function readDotprompt(fields: Fields, body: string): Found {
  // Dotprompt reads a role anywhere in a line, Hone only on a line.
  const text = body.replaceAll(HANDLEBARS_ROLE, (line) => `\n${line}\n`);
  const output: Fields = isRecord(fields.output) ? fields.output : {};
  const schema = isRecord(output.schema) && output.schema.type === 'object' ? output.schema : null;
  return {
    messages: messagesOfPrompt(text) ?? body,
    syntax: SYNTAXES.mustache,
    options: schema === null ? undefined : { text: { format: { type: 'json_schema', schema } } },
    notTaken: [
      ...notTakenOf(fields, ['model', 'config', 'tools', 'variant']),
      ...('schema' in output && schema === null
        ? ['output.schema: it is not JSON Schema with type object. Enter it as Response schema']
        : []),
    ],
  };
}

/** Source: the API of Langfuse, `GET /api/public/v2/prompts/{name}`. */
function readLangfuse(value: unknown): Result<Found> | null {
  if (!isRecord(value) || (value.type !== 'text' && value.type !== 'chat') || !('prompt' in value)) return null;
  const { prompt, config } = value;
  const messages = typeof prompt === 'string' ? prompt : Array.isArray(prompt) ? chatOf(prompt) : null;
  if (messages === null) return noText();
  const notTaken = isRecord(config) ? notTakenOf(config, ['model', 'temperature', 'max_tokens']) : [];
  return found(messages, SYNTAXES.mustache, notTaken, config);
}

/** Source: `langchain_core.load.dumps` of a prompt template, also as the `manifest` of a commit in LangSmith. */
function readLangChain(value: unknown): Result<Found> | null {
  if (!isRecord(value)) return null;
  if (isRecord(value.manifest)) return readLangChain(value.manifest);
  const { lc, id, kwargs } = value;
  if (lc !== 1 || !Array.isArray(id) || !isRecord(kwargs)) return null;
  if (id.at(-1) === 'RunnableSequence') return readLangChain(kwargs.first);
  const { template, template_format: format = 'f-string', messages, schema_: schema } = kwargs;
  const options = isRecord(schema)
    ? { response_format: { type: 'json_schema', json_schema: { name: schema.title, schema } } }
    : undefined;
  const syntaxOf = (name: unknown): Syntax | null =>
    name === 'f-string' || name === 'mustache' || name === 'jinja2' ? SYNTAXES[name] : null;
  if (!Array.isArray(messages)) {
    const syntax = syntaxOf(format);
    return typeof template === 'string' && syntax !== null ? found(template, syntax, []) : noText();
  }
  const formats = messages.map((one) => memberOf(one, ['kwargs', 'prompt', 'kwargs', 'template_format']));
  const syntax = syntaxOf(formats.find((one) => one !== undefined) ?? format);
  if (syntax === null) return noText();
  const chat = messages.map((one) => {
    const last: unknown = isRecord(one) && Array.isArray(one.id) ? one.id.at(-1) : null;
    const name = typeof last === 'string' ? last : '';
    if (name === 'MessagesPlaceholder') return { type: 'placeholder' };
    const role = name.replace(/Message(?:PromptTemplate)?$/, '').toLowerCase();
    const text = memberOf(one, ['kwargs', 'prompt', 'kwargs', 'template']);
    const fixed = memberOf(one, ['kwargs', 'content']);
    // The text of a message that is not a template has no variables.
    const content = text ?? (typeof fixed === 'string' ? withoutVariables(fixed, syntax) : fixed);
    return { role: LANGCHAIN_ROLES.get(role) ?? role, content };
  });
  return found(chatOf(chat), syntax, [], options);
}

const LANGCHAIN_ROLES = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
]);

function withoutVariables(text: string, syntax: Syntax): string {
  return syntax === SYNTAXES['f-string'] ? text.replaceAll('{', '{{').replaceAll('}', '}}') : text;
}

/** Source: `.prompt.yml` files of GitHub Models. */
function readGitHub(value: unknown): Result<Found> | null {
  if (!isRecord(value) || !isChat(value.messages)) return null;
  const names = ['modelParameters', 'testData', 'evaluators', 'responseFormat', 'jsonSchema'];
  if (!names.some((name) => name in value)) return null;
  return found(chatOf(value.messages), SYNTAXES.mustache, notTakenOf(value, ['model', ...names]));
}

/** Reads a request to OpenAI (Chat Completions or Responses), or a list of messages. */
function readOpenAi(value: unknown): Result<Found> | null {
  if (Array.isArray(value)) return isChat(value) ? found(chatOf(value), SYNTAXES.mustache, []) : null;
  if (!isRecord(value)) return null;
  const { messages, instructions, input, prompt } = value;
  if (isRecord(prompt) && typeof prompt.id === 'string' && messages === undefined && input === undefined)
    return fail(
      'invalid',
      'file only names a prompt that OpenAI stores, without its text. Copy the messages from the dashboard of OpenAI and write them as {"messages": [{"role": "user", "content": "…"}]}.',
      'file',
    );
  const list = isChat(messages) ? messages : isChat(input) ? input : null;
  const system = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : [];
  const texts = list ?? (typeof input === 'string' ? [{ role: 'user', content: input }] : []);
  if (list === null && (system.length === 0 || typeof input !== 'string')) return null;
  return found(chatOf([...system, ...texts]), SYNTAXES.mustache, notTakenOf(value, ['model', 'temperature']), value);
}

function isChat(value: unknown): value is unknown[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((one) => isRecord(one) && typeof one.role === 'string')
  );
}

function found(
  messages: string | PromptMessage[] | { problem: string },
  syntax: Syntax,
  notTaken: string[],
  options?: unknown,
): Result<Found> {
  if (typeof messages === 'object' && 'problem' in messages) return fail('invalid', messages.problem, 'file');
  return succeed({ messages, syntax, notTaken, options });
}

function tooDeep(): Result<never> {
  return fail('invalid', `file is nested deeper than ${MAX_DEPTH} levels.`, 'file');
}

function noText(): Result<never> {
  return fail(
    'invalid',
    'file has no text of a prompt, or its template is in a syntax that Hone does not read.',
    'file',
  );
}

/** Converts messages as OpenAI writes them. A placeholder for messages is the conversation of the case. */
function chatOf(messages: readonly unknown[]): PromptMessage[] | { problem: string } {
  const read: PromptMessage[] = [];
  for (const [at, message] of messages.entries()) {
    const { role, content, type }: Fields = isRecord(message) ? message : {};
    if (type === 'placeholder') {
      read.push({ role: 'history' });
      continue;
    }
    const known = roleOf(role);
    if (known === null)
      return { problem: `file: message ${at + 1} has the role ${JSON.stringify(role)?.slice(0, 50)}. Remove it.` };
    const parts: unknown[] = Array.isArray(content) ? content : [content];
    const texts = parts.map((part) => (isRecord(part) ? part.text : part));
    if (!texts.every((text) => typeof text === 'string'))
      return { problem: `file: message ${at + 1} is not only text. Remove its tool calls and files.` };
    read.push({ role: known, text: texts.join('\n\n') });
  }
  return read;
}

function roleOf(name: unknown): 'system' | 'user' | 'assistant' | null {
  if (name === 'developer' || name === 'system') return 'system';
  return name === 'user' || name === 'assistant' ? name : null;
}

function memberOf(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((one, key) => (isRecord(one) ? one[key] : undefined), value);
}

/** Returns the fields that have a value and that the setup of a prompt replaces. */
function notTakenOf(fields: Fields, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const { [name]: value } = fields;
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return [];
    return `${name}: ${REMEDIES.get(name) ?? 'Enter it in the setup of the prompt'}`;
  });
}

const REMEDIES = new Map([
  ['model', 'Choose models in the setup of the prompt'],
  ['testData', 'Import it as cases of a dataset'],
  ['responseFormat', 'Enter the schema under Response schema'],
  ['jsonSchema', 'Enter the schema under Response schema'],
  ['sample', 'Import it as a case of a dataset'],
  ['inputs', 'Descriptions of variables are not stored'],
  ['inputSchema', 'Descriptions of variables are not stored'],
  ['tools', 'Enter the tools of the prompt under Tools'],
  ['variant', 'Variants are not stored'],
]);

/** Maximum characters before the conversion, which can shorten a text. Bounds the time of the patterns. */
const MAX_TEXT_LENGTH = 100_000;

/** Converts what a reader found to a prompt of Hone. */
function promptOf(format: PromptFileFormat, { messages, syntax, options, notTaken }: Found): Result<PromptFile> {
  const whole = typeof messages === 'string' ? messages : promptOfMessages(messages);
  if (whole.length > MAX_TEXT_LENGTH)
    return fail('invalid', 'file has a prompt of more than 100,000 characters. Shorten it to at most 50,000.', 'file');
  const names = [...new Set([...whole.matchAll(syntax.variable)].map(([, name = '']) => name.split('.', 1)[0] ?? ''))];
  const input = names.find((name) => name === 'input') ?? names.find(isInputName) ?? names[0] ?? '';
  const unread: string[] = [];
  const renamed = (text: string) => {
    let plain = '';
    let from = 0;
    for (const match of text.matchAll(syntax.variable)) {
      const [all, name = ''] = match;
      // Doubled braces before a variable of `str.format` belong to the text.
      const at = match.index + all.length - (syntax === SYNTAXES['f-string'] ? name.length + 2 : all.length);
      plain += literal(text.slice(from, at)) + variableOf(name);
      from = match.index + all.length;
    }
    return plain + literal(text.slice(from));
  };
  const literal = syntax.literal ?? ((text: string) => text);
  const variableOf = (name: string) => {
    if (name === input) return '{{input}}';
    if (!name.includes('.')) return `{{metadata.${name}}}`;
    if (name.startsWith(`${input}.`)) return `{{input${name.slice(name.indexOf('.'))}}}`;
    unread.push(`{{${name}}}: only variables and fields of the input are filled in`);
    return `{{${name}}}`;
  };
  const text =
    typeof messages === 'string'
      ? renamed(messages).trim()
      : promptOfMessages(
          messages.map((message) =>
            message.role === 'history' ? message : { ...message, text: renamed(message.text) },
          ),
        );
  if (syntax !== SYNTAXES['f-string'])
    for (const [logic] of withoutRoles(text).matchAll(LOGIC))
      unread.push(`${logic.slice(0, 80)}: prompts have no logic, filters or helpers. It stays in the text`);
  const sent = optionsOf(options);
  return succeed({ format, text, ...sent.options, notTaken: [...notTaken, ...sent.notTaken, ...new Set(unread)] });
}

function withoutRoles(text: string): string {
  return text.replaceAll(HANDLEBARS_ROLE, '');
}

/** Reads tools and the response schema of a request to OpenAI. */
function optionsOf(value: unknown): { options: PromptOptions; notTaken: string[] } {
  const notTaken: string[] = [];
  const { tools, response_format: format, text }: Fields = isRecord(value) ? value : {};
  const read = (Array.isArray(tools) ? tools : []).slice(0, MAX_PROMPT_TOOLS + 1).flatMap((tool: unknown, at) => {
    const { name, description, parameters }: Fields = isRecord(tool)
      ? isRecord(tool.function)
        ? tool.function
        : tool
      : {};
    const parsed = parseInput(toolDefinitionSchema, { name, description, parameters });
    if (parsed.ok) return [parsed.value];
    notTaken.push(`tool ${at + 1}: ${parsed.problem.message}`);
    return [];
  });
  const wanted = isRecord(format) ? format.json_schema : memberOf(text, ['format']);
  const { name, schema }: Fields = isRecord(wanted) ? wanted : {};
  if (schema === undefined) return { options: { ...NO_OPTIONS, tools: read }, notTaken };
  const parsed = parseInput(responseSchemaSchema, { name, schema });
  if (!parsed.ok) notTaken.push(`response schema: ${parsed.problem.message}`);
  return { options: { tools: read, responseSchema: parsed.ok ? parsed.value : null }, notTaken };
}
