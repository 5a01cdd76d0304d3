import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';

/** Text shown to people, with its location. `{…}` stands for each interpolated value. */
export type FoundString = { file: string; line: number; text: string };

type AnyNode = { type: string; start: number; [key: string]: unknown };

/** Attributes and properties whose values are not shown to people. */
const UNSEEN =
  /^(class(Name)?|key|id|href|path|type|name|value|data-.*|role|rel|target|src|d|viewBox|queryKey|from|sql|scope|limit|audit|start|method|operator)$/;
const UNSEEN_CALLS = /^(\$?(queryRaw|executeRaw)|query|classNames|cva|RegExp|import|require|sql)$/;
/** Variables, functions and properties with texts for models, excluded because changing a prompt changes the behavior of the loop. */
const FOR_MODELS =
  /^(instructions|RULES|DEFAULT_CRITERIA|formSchema|toolInstructions)$|(INSTRUCTIONS|_FORM|PROMPT|RUBRIC|Rubric|(?:Reply|Response)Schema)$/;
/** Excluded files: texts for models, samples, tests, and patterns of the practice model and the screening. */
const LEFT_OUT = new RegExp(
  `\\.test|test-support|generated|^lib/(${[
    'testing',
    'samples',
    'core/prompts',
    'core/agents/(conversation-of|perform-tools)',
    'evaluators/judge-instructions',
    'core/tuning/(proposal-prompt|read-proposal)',
    'lessons/(add-rule|screening|retrospectives/retrospective-prompt)',
    'providers/practice',
    'tools/(calculator|[\\w-]+\\.ts$)',
  ].join('|')})`,
);

/** Returns the texts in `app`, `components` and `lib` that are shown to people, in file order. */
export function findStrings(files = '{app,components,lib}/**/*.{ts,tsx,mjs}'): FoundString[] {
  return globSync(files)
    .filter((file) => !LEFT_OUT.test(file))
    .sort()
    .flatMap((file) => stringsOf(file, readFileSync(file, 'utf8')));
}

/** Returns the texts of one file. A text has at least two words or is the direct child of an element. */
export function stringsOf(file: string, source: string): FoundString[] {
  const found: FoundString[] = [];
  const lineOf = (at: number) => source.slice(0, at).split('\n').length;
  const add = (node: AnyNode, text: string, least: number) => {
    for (const words of node.type === 'JSXText' ? [inOneLine(text)] : partsOf(text)) {
      if (!/\p{L}{2}/u.test(words) || words.split(' ').length < least || isCode(words)) continue;
      found.push({ file, line: lineOf(node.start), text: words });
    }
  };
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const inner of value) walk(inner);
      return;
    }
    if (!isNode(value)) return;
    switch (value.type) {
      case 'ImportDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TaggedTemplateExpression':
        return;
      case 'ExpressionStatement':
        if (typeof value.directive !== 'string') walk(value.expression);
        return;
      case 'JSXText':
        add(value, String(value.value), 1);
        return;
      case 'JSXAttribute':
        if (!UNSEEN.test(nameOf(value.name))) walk(value.value);
        return;
      case 'VariableDeclarator':
      case 'FunctionDeclaration':
        if (FOR_MODELS.test(nameOf(value.id))) return;
        for (const inner of Object.values(value)) walk(inner);
        return;
      case 'Property': {
        // A schema field may have such a name, and its description is shown to people.
        const isField = isNode(value.value) && value.value.type === 'CallExpression';
        const name = nameOf(value.key);
        if (isField || !(UNSEEN.test(name) || FOR_MODELS.test(name))) walk(value.value);
        return;
      }
      case 'CallExpression':
        if (!UNSEEN_CALLS.test(calledName(value.callee))) walk(value.arguments);
        walk(value.callee);
        return;
      case 'Literal':
        if (typeof value.value === 'string') add(value, value.value, 2);
        return;
      case 'TemplateLiteral': {
        const quasis = (value.quasis as { value: { cooked: string } }[]).map(({ value: { cooked } }) => cooked);
        add(value, quasis.join('{…}'), 2);
        walk(value.expressions);
        return;
      }
      default:
        for (const inner of Object.values(value)) walk(inner);
    }
  };
  walk(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  return found;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  return String(node.name ?? node.value ?? '');
}

function calledName(callee: unknown): string {
  if (!isNode(callee)) return '';
  return callee.type === 'MemberExpression' ? nameOf(callee.property) : nameOf(callee);
}

/** Splits a text into paragraphs, indented lines and list items, and an HTML page into the texts between its tags. */
function partsOf(text: string): string[] {
  const whole = inOneLine(text);
  if (/^<!doctype html>/i.test(whole)) return whole.split(/<(?!\/?code)[^>]+>/).map(inOneLine);
  return isCode(whole) ? [] : text.split(/\n\s*\n|\n(?=[ \t]+\S|- )/).map(inOneLine);
}

function inOneLine(text: string): string {
  return text.replaceAll(/&\w+;/g, ' ').replaceAll(/\s+/g, ' ').trim();
}

const SQL = /^(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|DROP|ALTER|COPY|AND|OR|ORDER|WHERE|LEFT|JOIN|SET|GRANT|LOCK)\b/;
/** Matches the start of a program, of markup, of a CSS rule or selector, or a route name. */
const OTHER_CODE =
  /^((const|import) \w+ ?[=\w]|curl -|<\w|@font-face\b|(\w+ )?\[[\w-]+[\]=]|(GET|POST|PUT|PATCH|DELETE) \/)/;
const SQL_WORD =
  /\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|JOIN|LATERAL|ORDER BY|GROUP BY|LIMIT|RETURNING|VALUES|CASE|FILTER|EXISTS|AS|SET|NULL|LOOP)\b/g;

/** True for SQL, scripts, style sheets, headers, lists of words, columns or class names, and other code. */
function isCode(withGaps: string): boolean {
  const text = withGaps.replaceAll('{…}', '').trim();
  if (SQL.test(text) || OTHER_CODE.test(text)) return true;
  const isProse = /\b(the|is|are|this|your)\b/i.test(text);
  if (!isProse && (new Set(text.match(SQL_WORD)).size > 1 || / AS "/.test(text))) return true;
  const isScript = /^(import \{|(async )?function \w+\(|return[ ;]|(let|const) [\w[{]|throw new |if \(|ulimit )/.test(
    text,
  );
  if ((isScript || (!isProse && /^([({}:[]|\w+ = )/.test(text))) && /[{}]|;$|; |=>/.test(text)) return true;
  // Regular expressions, word lists, column lists with types, and header values.
  if (/\(\?[:<!=]|\\b|\(\);/.test(text)) return true;
  if (/^[^.,;:!?\p{Lu}]+$/u.test(text) && text.split(' ').length > 24) return true;
  const columns = text.split(', ');
  if (columns.length > 5 && columns.every((column) => /^[\w."]+( [\w"]+(\[\])?)?$/.test(column))) return true;
  if (/'(none|self)'|; ?(filename|Path|Secure|HttpOnly)\b/.test(text)) return true;
  const words = withGaps.split(' ');
  return words.filter((word) => /[-:[\]/_]|^\w+\d/.test(word)).length > words.length / 2;
}
