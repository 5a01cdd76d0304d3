/** A function of Hone's in the place of a JavaScript assertion, or why there is none. */
export type TranslatedJavascript = { code: string } | string;

type Assertion = {
  code: string;
  isNegated: boolean;
  /** What promptfoo would do to the output before; null: nothing. */
  transform: string | null;
  /** The variable that became the input. */
  inputVariable: string | null;
};

/** What promptfoo offers to assertions and a sandbox without modules, network and promises does not. */
const NOT_THERE =
  /\b(require|process|import|await|async|fetch|Promise|setTimeout|Buffer|Date)\b|\bcontext\s*\.\s*(?!vars\b)(\w+)/;
/** Members that texts have; whoever asks an output for another one takes it for an object. */
const OF_TEXTS = new Set([...Object.getOwnPropertyNames(String.prototype), 'length']);

/**
 * Translates `assert: {type: javascript}` into a function criterion: `output` and `context.vars` are as promptfoo has them, and what is
 * returned is read the way it reads it (a boolean, a score, or `{pass, score, reason}`).
 * Source: promptfoo.dev/docs/configuration/expected-outputs/javascript.
 */
export function translateJavascript({ code, isNegated, transform, inputVariable }: Assertion): TranslatedJavascript {
  const trimmed = code.trim().replace(/;$/, '');
  for (const text of [trimmed, transform ?? '']) {
    const found = NOT_THERE.exec(text.replaceAll(/(['"`])(?:\\.|(?!\1).)*\1/g, "''"));
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

/** Several lines with a `return` are the body of a function, all else is one expression. */
function bodyOf(code: string): string {
  const isBody =
    /\breturn\b/.test(code) && (code.includes('\n') || /^(?:return|const|let|var|if|for|while|\{)/.test(code));
  return isBody ? code : `return (\n${code}\n);`;
}
