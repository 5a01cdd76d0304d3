import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';

/** A text that people see, or may see: where it stands, and the text with `{…}` for what is filled in. */
export type FoundString = { file: string; line: number; text: string };

type AnyNode = { type: string; start: number; [key: string]: unknown };

/** Attributes and properties whose texts people do not read. */
const UNSEEN =
  /^(class(Name)?|key|id|href|path|type|name|value|data-.*|role|rel|target|src|d|viewBox|queryKey|from|sql|scope|limit|audit|start|method|operator)$/;
const UNSEEN_CALLS = /^(\$?(queryRaw|executeRaw)|query|classNames|cva|RegExp|import|require|sql)$/;
/** Texts for models, of tests and of the practice model. */
const LEFT_OUT = /\.test|test-support|^lib\/(testing|core\/prompts|providers\/practice|lessons\/screening)|generated/;

/** Every text of `app`, `components` and `lib` that people may see, in the order of the files. */
export function findStrings(files = '{app,components,lib}/**/*.{ts,tsx}'): FoundString[] {
  return globSync(files)
    .filter((file) => !LEFT_OUT.test(file))
    .sort()
    .flatMap((file) => stringsOf(file, readFileSync(file, 'utf8')));
}

/** The texts of one file. A text has at least two words, or stands directly in an element. */
export function stringsOf(file: string, source: string): FoundString[] {
  const found: FoundString[] = [];
  const lineOf = (at: number) => source.slice(0, at).split('\n').length;
  const add = (node: AnyNode, text: string, least: number) => {
    const words = text.replaceAll(/&\w+;/g, ' ').replaceAll(/\s+/g, ' ').trim();
    if (!/\p{L}{2}/u.test(words) || words.split(' ').length < least || isCode(words)) return;
    found.push({ file, line: lineOf(node.start), text: words });
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
      case 'Property':
        if (!UNSEEN.test(nameOf(value.key))) walk(value.value);
        return;
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

const SQL = /^(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|DROP|ALTER|COPY|AND|OR|ORDER|WHERE|LEFT|JOIN|SET|GRANT|LOCK)\b/;
/** The beginning of a program, of markup, a CSS rule or selector, or the name of a route. */
const OTHER_CODE =
  /^((const|import) \w+ ?[=\w]|curl -|<\w|@font-face\b|(\w+ )?\[[\w-]+[\]=]|(GET|POST|PUT|PATCH|DELETE) \/)/;

/** SQL, lists of class names and other code. */
function isCode(text: string): boolean {
  if (SQL.test(text) || OTHER_CODE.test(text)) return true;
  const words = text.split(' ');
  return words.filter((word) => /[-:[\]/_]|^\w+\d/.test(word)).length > words.length / 2;
}
