import { ownValue } from '#lib/core/json-values.ts';
import type { PromptfooAssertion } from './promptfoo-config.ts';

/** Evaluator of a criterion and its configuration. */
export type Made = {
  evaluator: 'llm' | 'regex' | 'reference' | 'json_schema' | 'function';
  config: Record<string, unknown>;
  description: string;
  /** Minimum passing score if the assertion sets none. Null if the overall threshold applies. */
  threshold: number | null;
  /** Reference for the judge. Omitted if it needs none. */
  reference?: string;
};

export type AssertionContext = { inputVariable: string | null; transform: string | null };

/**
 * Translates a promptfoo assertion to a criterion, or returns the reason why it cannot. Values are resolved and contain no templates.
 * Source: promptfoo.dev/docs/configuration/expected-outputs.
 */
export function criterionOfAssertion(assertion: PromptfooAssertion, context: AssertionContext): Made | string {
  const { type } = assertion;
  const isNegated = type.startsWith('not-');
  const kind = isNegated ? type.slice('not-'.length) : type;
  if (listOf(assertion.value).some((one) => /^(?:file|python|javascript|package):/.test(one)))
    return 'its value is a file, which is not read';
  if (/^(?:file|package):/.test(context.transform?.trim() ?? ''))
    return 'its test transforms the output with a file, which is not read';
  if (context.transform !== null && kind !== 'javascript') {
    const code = WHY_NOT[kind] === undefined ? codeOf(kind, assertion.value) : null;
    if (code === null) return WHY_NOT[kind] ?? 'its test transforms the output first, which only a function can do';
    const text = `${type} ${listOf(assertion.value).join(', ')}`;
    return javascript({ ...assertion, value: code }, text, isNegated, context, 1);
  }
  return textCriterion(kind, assertion, isNegated) ?? otherCriterion(kind, assertion, isNegated, context);
}

/**
 * An assertion that compares the output with a text: as a pattern, as an expression of JavaScript about `output`, and its verb in the
 * description, also negated.
 */
type TextKind = {
  pattern: (text: string) => string;
  code: (text: string, output: string) => string;
  verbs: readonly [holds: string, doesNot: string];
};

const CONTAINS: TextKind = {
  pattern: escaped,
  code: (text, output) => `${output}.includes(${JSON.stringify(text)})`,
  verbs: ['contains', 'does not contain'],
};
const TEXT_KINDS: Record<string, TextKind> = {
  contains: CONTAINS,
  icontains: CONTAINS,
  equals: {
    pattern: (text) => `^\\s*${escaped(text.trim())}\\s*$`,
    code: (text, output) => `${output}.trim() === ${JSON.stringify(text.trim())}`,
    verbs: ['equals', 'does not equal'],
  },
  'starts-with': {
    pattern: (text) => `^${escaped(text)}`,
    code: (text, output) => `${output}.startsWith(${JSON.stringify(text)})`,
    verbs: ['begins with', 'does not begin with'],
  },
  regex: {
    pattern: (text) => text,
    code: (text, output) => `new RegExp(${JSON.stringify(text)}).test(${output})`,
    verbs: ['matches', 'does not match'],
  },
};

/** Translates assertions about the output's text. Returns null for all others. */
function textCriterion(kind: string, { value }: PromptfooAssertion, isNegated: boolean): Made | string | null {
  if (kind === 'equals' && typeof value === 'object' && value !== null) return sameJson(value, isNegated);
  const flags = kind.startsWith('icontains') ? 'i' : '';
  const made = (pattern: string, verbs: TextKind['verbs'], text: string): Made => ({
    evaluator: 'regex',
    config: { pattern, ...(flags && { flags }), mustMatch: !isNegated },
    description: described(`The output ${verbs[isNegated ? 1 : 0]} ${text}`),
    threshold: 1,
  });
  const known = ownValue(TEXT_KINDS, kind);
  if (known !== null) {
    const text = textOf(value);
    if (text === null) return NO_TEXT;
    return made(known.pattern(text), known.verbs, kind === 'icontains' ? `${text}, ignoring case` : text);
  }
  const [, several] = /^i?contains-(any|all)$/.exec(kind) ?? [];
  if (several === undefined) return null;
  const texts = separated(value);
  if (texts.length === 0) return NO_TEXT;
  if (several === 'all') return containsAll(texts, flags === 'i', isNegated);
  return made(texts.map(escaped).join('|'), CONTAINS.verbs, `one of ${texts.join(', ')}`);
}

function otherCriterion(
  kind: string,
  { type, value, threshold }: PromptfooAssertion,
  isNegated: boolean,
  context: AssertionContext,
): Made | string {
  const text = textOf(value);
  switch (kind) {
    case 'is-json':
      if (isNegated) return value === undefined ? anyJson('whole', true) : ONLY_ITSELF;
      return jsonOf(value);
    case 'contains-json':
      if (value !== undefined && value !== null) return 'only is-json can check a schema, contains-json can’t';
      return anyJson('inside', isNegated);
    case 'javascript':
      // Without a threshold, promptfoo passes every score above 0.
      return text === null
        ? NO_TEXT
        : javascript({ type, value: text }, text, isNegated, context, threshold ?? MIN_PASSING_SCORE);
    case 'llm-rubric':
    case 'model-graded-closedqa':
    case 'g-eval':
      return byRubric(listOf(value).join('\n'), isNegated);
    case 'factuality':
    case 'model-graded-factuality':
      return isNegated ? ONLY_ITSELF : byFacts(text?.trim() ? text : null);
    default:
      return WHY_NOT[kind] ?? 'there is no criterion of this kind';
  }
}

function byRubric(rubric: string, isNegated: boolean): Made | string {
  if (rubric.trim() === '') return NO_TEXT;
  return byJudge(isNegated ? `Score 1 where this does not hold for the output, 0 where it does:\n${rubric}` : rubric);
}

function byFacts(facts: string | null): Made | string {
  return facts === null ? NO_TEXT : { ...byJudge(FACTUALITY_RUBRIC), reference: facts };
}

function byJudge(rubric: string): Made {
  return { evaluator: 'llm', config: { rubric }, description: '', threshold: null };
}

function javascript(
  { value }: PromptfooAssertion,
  text: string,
  isNegated: boolean,
  { inputVariable, transform }: AssertionContext,
  threshold: number,
): Made | string {
  const made = translateJavascript({ code: textOf(value) ?? '', isNegated, transform, inputVariable });
  if (typeof made === 'string') return made;
  return { evaluator: 'function', config: made, description: described(text), threshold };
}

/** Translates a text assertion to JavaScript, for outputs that are transformed first. Returns null for all others. */
function codeOf(kind: string, value: unknown): string | null {
  const isLower = kind.startsWith('icontains');
  const output = isLower ? 'String(output).toLowerCase()' : 'String(output)';
  const [, several] = /^i?contains-(any|all)$/.exec(kind) ?? [];
  const given = several === undefined ? listOf(value) : separated(value);
  const texts = isLower ? given.map((text) => text.toLowerCase()) : given;
  const [first] = texts;
  if (first === undefined) return null;
  if (several === undefined) return ownValue(TEXT_KINDS, kind)?.code(first, output) ?? null;
  return `${JSON.stringify(texts)}.${several === 'any' ? 'some' : 'every'}((text) => ${output}.includes(text))`;
}

const FACTUALITY_RUBRIC = `Compare the facts of the output with those of the reference: {{reference}}
Score 1 where it states the same facts, states some of them or adds to them without contradiction, or differs only in what does not matter to the facts.
Score 0 where it contradicts the reference.`;

const MIN_PASSING_SCORE = 0.01;
const NO_TEXT = 'it has no text to compare with';
const ONLY_ITSELF = 'only the assertion itself is imported, not its opposite';
const MEASURED = 'Hone measures it and has budgets for it, but does not score it';
const OTHER_LANGUAGE = 'its code is not JavaScript (rewrite it as a function criterion)';
const WHOLE_RUN = 'it looks at calls and traces, not at the output';
const TOOLS = 'it checks the form of tool calls, which Hone does itself';
const SELECTS = 'it compares the outputs of several models (compare experiments instead)';
const RETRIEVAL = 'it grades retrieved context (write a rubric with {{metadata.name}} instead)';
const WHY_NOT: Record<string, string> = {
  ...{ latency: MEASURED, cost: MEASURED, python: OTHER_LANGUAGE, ruby: OTHER_LANGUAGE },
  ...{ 'trace-span-count': WHOLE_RUN, 'trace-span-duration': WHOLE_RUN, 'trace-error-spans': WHOLE_RUN },
  ...{ 'finish-reason': WHOLE_RUN, perplexity: WHOLE_RUN, 'perplexity-score': WHOLE_RUN },
  ...{ 'is-valid-openai-tools-call': TOOLS, 'is-valid-openai-function-call': TOOLS, 'is-valid-function-call': TOOLS },
  ...{ 'select-best': SELECTS, 'max-score': SELECTS },
  ...{ 'context-recall': RETRIEVAL, 'context-relevance': RETRIEVAL, 'context-faithfulness': RETRIEVAL },
  similar: 'it needs an embedding model: choose one and add a reference criterion by embedding',
  'answer-relevance': 'it needs an embedding model: write a rubric instead',
  webhook: 'register the service under Settings and add a webhook criterion',
  'assert-set': 'a set of assertions with its own threshold is not imported',
};

function jsonOf(value: unknown): Made | string {
  const schema = value ?? {};
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 'its schema is no object';
  return {
    evaluator: 'json_schema',
    config: { schema },
    description: Object.keys(schema).length === 0 ? 'The output is JSON.' : 'The output is JSON of the right form.',
    threshold: 1,
  };
}

function sameJson(value: object, isNegated: boolean): Made {
  return {
    evaluator: 'function',
    config: {
      code: `function evaluate({ output }) {
  const sorted = (value) =>
    Array.isArray(value) ? value.map(sorted)
    : value !== null && typeof value === 'object' ? Object.keys(value).sort().map((key) => [key, sorted(value[key])])
    : value;
  const expected = ${JSON.stringify(value)};
  let isSame = false;
  try {
    isSame = JSON.stringify(sorted(JSON.parse(output))) === JSON.stringify(sorted(expected));
  } catch {}
  return ${isNegated ? '!isSame' : 'isSame'};
}`,
    },
    description: described(`The output ${isNegated ? 'is other JSON than' : 'is the JSON'} ${JSON.stringify(value)}`),
    threshold: 1,
  };
}

function containsAll(texts: readonly string[], ignoresCase: boolean, isNegated: boolean): Made {
  const lower = ignoresCase ? '.toLowerCase()' : '';
  return {
    evaluator: 'function',
    config: {
      code: `function evaluate({ output }) {
  const wanted = ${JSON.stringify(texts)};
  const missing = wanted.filter((text) => !output${lower}.includes(text${lower}));
  ${isNegated ? 'return missing.length > 0;' : "return [missing.length === 0, missing.length === 0 ? '' : 'Missing: ' + missing.join(', ')];"}
}`,
    },
    description: described(`The output ${isNegated ? 'does not contain all' : 'contains all'} of ${texts.join(', ')}`),
    threshold: 1,
  };
}

function anyJson(where: 'whole' | 'inside', isNegated: boolean): Made {
  const found =
    where === 'whole'
      ? 'isJson(output.trim())'
      : `[...output].some((sign, at) => (sign === '{' || sign === '[') && ends(output, sign).some((end) => end > at && isJson(output.slice(at, end))))`;
  return {
    evaluator: 'function',
    config: {
      code: `function evaluate({ output }) {
  const isJson = (text) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const ends = (text, sign) =>
    [...text.matchAll(sign === '{' ? /\\}/g : /\\]/g)].map(({ index }) => index + 1).reverse().slice(0, 50);
  return ${isNegated ? `!(${found})` : found};
}`,
    },
    description: `The output ${isNegated ? 'holds no' : where === 'whole' ? 'is' : 'contains'} JSON.`,
    threshold: 1,
  };
}

/** A text of a comma-separated list. In quotes it may contain commas, and `""` or `\\"` is a quote. */
const SEPARATED = /\s*"((?:\\.|""|[^"\\])*)"\s*(?:,|$)|([^,]*)(?:,|$)/gs;

/** Returns the texts of a list or of a comma-separated text. */
function separated(value: unknown): string[] {
  const all =
    typeof value === 'string'
      ? Array.from(value.matchAll(SEPARATED), ([, quoted, bare = '']) =>
          quoted === undefined ? bare.trim() : quoted.replaceAll(/\\(["\\])|""/g, (_, escaped = '"') => escaped),
        )
      : listOf(value);
  return all.filter((one) => one !== '');
}

function listOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(one) ?? []);
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

function described(text: string): string {
  // A judge prompt would treat text between double braces as a variable.
  return text.replaceAll('{{', '{ {').replaceAll('}}', '} }').replaceAll(/\s+/g, ' ').slice(0, 300);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

type Assertion = {
  code: string;
  isNegated: boolean;
  /** promptfoo's transformation of the output. Null if there is none. */
  transform: string | null;
  /** Variable that became the input. */
  inputVariable: string | null;
};

/** Features that promptfoo offers to assertions but the sandbox does not: it has no modules, network or promises. */
const NOT_THERE =
  /\b(require|process|import|await|async|fetch|Promise|setTimeout|Buffer|Date)\b|\bcontext\s*\.\s*(?!vars\b)(\w+)/;
/** Members of strings. Code that accesses another member of the output expects an object. */
const OF_TEXTS = new Set([...Object.getOwnPropertyNames(String.prototype), 'length']);

/**
 * Translates `assert: {type: javascript}` to a function criterion, or returns the reason why it cannot. `output` and `context.vars` are the
 * same as in promptfoo. Results are interpreted the same way (a boolean, a score, or `{pass, score, reason}`). Source:
 * promptfoo.dev/docs/configuration/expected-outputs/javascript.
 */
function translateJavascript({ code, isNegated, transform, inputVariable }: Assertion): { code: string } | string {
  const trimmed = code.trim().replace(/;$/, '');
  for (const text of [trimmed, transform ?? '']) {
    const found = NOT_THERE.exec(text.replaceAll(/(['"`])(?:\\.|(?!\1|\\).)*\1/g, "''"));
    if (found !== null) return `it uses ${(found[1] ?? `context.${found[2]}`).trim()}, which the sandbox does not have`;
  }
  const asObject = takesObject(transform ?? trimmed);
  const lines = [
    'function evaluate({ output: text, input, metadata }) {',
    '  const console = { log() {}, warn() {}, error() {}, info() {}, debug() {} };',
    `  const context = { vars: { ...metadata${inputVariable === null ? '' : `, [${JSON.stringify(inputVariable)}]: input`} } };`,
    ...(asObject ? PARSED : ['  let output = text;']),
    ...(transform === null
      ? []
      : [`  output = (function (output, context) {\n${bodyOf(transform)}\n  })(output, context);`]),
    '  const said = (function (output, context) {',
    bodyOf(trimmed),
    '  })(output, context);',
    ...(isNegated ? NEGATED : READ),
    '}',
  ];
  return { code: lines.join('\n') };
}

const PARSED = [
  '  let output;',
  '  try {',
  "    output = JSON.parse(text.trim().replace(/^```\\w*\\n([\\s\\S]*?)\\n?```$/, '$1'));",
  '  } catch {',
  "    return [false, 'The output is not JSON.'];",
  '  }',
];
const READ = [
  "  if (typeof said === 'boolean') return said;",
  "  if (typeof said === 'number') return Math.min(1, Math.max(0, said));",
  "  const reason = String((said && said.reason) || '');",
  '  if (said && said.pass === false) return [false, reason];',
  '  const score = said && typeof said.score === "number" ? Math.min(1, Math.max(0, said.score)) : 1;',
  '  if (said && (said.pass === true || typeof said.score === "number")) return [score, reason];',
  "  throw new Error('It returned neither a boolean nor a score.');",
];
const NEGATED = [
  "  if (typeof said === 'boolean') return !said;",
  "  if (typeof said === 'number') return !(said > 0);",
  "  if (said && typeof said.pass === 'boolean') return [!said.pass, String(said.reason || '')];",
  "  throw new Error('It returned neither a boolean nor a score.');",
];

function takesObject(code: string): boolean {
  if (/\boutput\s*\[\s*(?:\d|['"])/.test(code)) return true;
  const members = [...code.matchAll(/\boutput\s*\??\.\s*([A-Za-z_$][\w$]*)/g)].map(([, name = '']) => name);
  return members.some((name) => !OF_TEXTS.has(name)) && !/JSON\s*\.\s*parse\s*\(\s*output\s*\)/.test(code);
}

/** Multi-line code with a `return` is a function body. Other code is an expression. */
function bodyOf(code: string): string {
  const isBody =
    /\breturn\b/.test(code) && (code.includes('\n') || /^(?:return|const|let|var|if|for|while|\{)/.test(code));
  return isBody ? code : `return (\n${code}\n);`;
}
