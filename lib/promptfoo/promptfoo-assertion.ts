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
  if (context.transform !== null && kind !== 'javascript') {
    const code = WHY_NOT[kind] === undefined ? codeOf(kind, assertion.value) : null;
    if (code === null) return WHY_NOT[kind] ?? 'its test transforms the output first, which only a function can do';
    return javascript(
      { ...assertion, value: code },
      `${type} ${listOf(assertion.value).join(', ')}`,
      isNegated,
      context,
      1,
    );
  }
  return textCriterion(kind, assertion, isNegated) ?? otherCriterion(kind, assertion, isNegated, context);
}

/** Translates assertions about the output's text. Returns null for all others. */
function textCriterion(kind: string, { value }: PromptfooAssertion, isNegated: boolean): Made | string | null {
  const text = textOf(value);
  const pattern = (of: string, flags: string, text: string): Made => ({
    evaluator: 'regex',
    config: { pattern: of, ...(flags === '' ? {} : { flags }), mustMatch: !isNegated },
    description: described(`The output ${isNegated ? 'does not contain' : 'contains'} ${text}`),
    threshold: 1,
  });
  const one = (make: (text: string) => Made): Made | string => (text === null ? NO_TEXT : make(text));
  switch (kind) {
    case 'equals':
      if (typeof value === 'object' && value !== null) return sameJson(value, isNegated);
      return one((of) => ({
        ...pattern(`^\\s*${escaped(of.trim())}\\s*$`, '', ''),
        description: described(`The output ${isNegated ? 'does not equal' : 'equals'} ${of}`),
      }));
    case 'contains':
      return one((of) => pattern(escaped(of), '', of));
    case 'icontains':
      return one((of) => pattern(escaped(of), 'i', `${of}, ignoring case`));
    case 'contains-any':
    case 'icontains-any': {
      const texts = separated(value);
      if (texts.length === 0) return NO_TEXT;
      return pattern(texts.map(escaped).join('|'), kind.startsWith('i') ? 'i' : '', `one of ${texts.join(', ')}`);
    }
    case 'contains-all':
    case 'icontains-all': {
      const texts = separated(value);
      return texts.length === 0 ? NO_TEXT : containsAll(texts, kind.startsWith('i'), isNegated);
    }
    case 'starts-with':
      return one((of) => ({
        ...pattern(`^${escaped(of)}`, '', ''),
        description: described(`The output ${isNegated ? 'does not begin' : 'begins'} with ${of}`),
      }));
    case 'regex':
      return one((of) => ({
        ...pattern(of, '', ''),
        description: described(`The output ${isNegated ? 'does not match' : 'matches'} ${of}`),
      }));
    default:
      return null;
  }
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
    case 'g-eval': {
      const rubric = listOf(value).join('\n');
      if (rubric.trim() === '') return NO_TEXT;
      const wholeRubric = isNegated
        ? `Score 1 where this does not hold for the output, 0 where it does:\n${rubric}`
        : rubric;
      return { evaluator: 'llm', config: { rubric: wholeRubric }, description: '', threshold: null };
    }
    case 'factuality':
    case 'model-graded-factuality':
      if (isNegated) return ONLY_ITSELF;
      if (text === null || text.trim() === '') return NO_TEXT;
      return {
        evaluator: 'llm',
        config: { rubric: FACTUALITY_RUBRIC },
        description: '',
        threshold: null,
        reference: text,
      };
    default:
      return WHY_NOT[kind] ?? 'there is no criterion of this kind';
  }
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
  const texts = (kind.endsWith('-any') || kind.endsWith('-all') ? separated(value) : listOf(value)).map((one) =>
    isLower ? one.toLowerCase() : one,
  );
  if (texts.length === 0) return null;
  const list = JSON.stringify(texts);
  switch (kind) {
    case 'equals':
      return `${output}.trim() === ${JSON.stringify(texts[0]?.trim())}`;
    case 'contains':
    case 'icontains':
      return `${output}.includes(${JSON.stringify(texts[0])})`;
    case 'contains-any':
    case 'icontains-any':
      return `${list}.some((text) => ${output}.includes(text))`;
    case 'contains-all':
    case 'icontains-all':
      return `${list}.every((text) => ${output}.includes(text))`;
    case 'starts-with':
      return `${output}.startsWith(${JSON.stringify(texts[0])})`;
    case 'regex':
      return `new RegExp(${JSON.stringify(texts[0])}).test(${output})`;
    default:
      return null;
  }
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

/** Code of a function criterion for a JavaScript assertion, or the reason why there is none. */
type TranslatedJavascript = { code: string } | string;

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
 * Translates `assert: {type: javascript}` to a function criterion. `output` and `context.vars` are the same as in promptfoo. Results are
 * interpreted the same way (a boolean, a score, or `{pass, score, reason}`). Source:
 * promptfoo.dev/docs/configuration/expected-outputs/javascript.
 */
function translateJavascript({ code, isNegated, transform, inputVariable }: Assertion): TranslatedJavascript {
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
