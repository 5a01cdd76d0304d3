import { parseAst } from 'rolldown/parseAst';

import { PAGES } from './pages.ts';

const ROLES = ['viewer', 'reviewer', 'editor', 'owner'];
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/**
 * A page or action as declared in its source. `path` is null for actions, which can be called from any page. `open`: no session is
 * required.
 * @typedef {{ name: string, kind: 'page' | 'action', file: string, exported: string, path: string | null,
 *   role: import('./role.ts').Role, writes: boolean, audit: readonly string[] | { none: string } | null, open?: true }} SourceEntry
 */

/**
 * Finds the entry points of a source file in its syntax tree: the page, or the functions of a `'use server'` file. Reports those that do
 * not call `authorize({ name, role })` first.
 * @param {{ file: string, text: string }} source `file` is the path from the root of the repository, with forward slashes
 * @returns {{ entries: SourceEntry[], problems: string[] }}
 */
export function readEntryFile(source) {
  // In .ts files, `<Value>(…) =>` is a generic function, not markup.
  const program = parseAst(source.text, { lang: source.file.endsWith('x') ? 'tsx' : 'ts' }, source.file);
  const kind = kindOf(source.file, program);
  const problems = hasInlineAction(program)
    ? [`${source.file}: put actions into a file that starts with 'use server', not into a function`]
    : [];
  if (kind === null) return { entries: [], problems };
  const entries = [];
  for (const door of entriesOf(kind, program)) {
    const where = `${source.file}: ${door.exported}`;
    const found =
      kind === 'action'
        ? readDefinition(door)
        : door.body === null
          ? { problem: 'must be a function written here, so that its authorize call can be seen' }
          : findAuthorize(door.body);
    if ('problem' in found) problems.push(`${where} ${found.problem}`);
    else
      entries.push({
        name: found.name,
        kind,
        file: source.file,
        exported: door.exported,
        path: pathOf(kind, source.file),
        role: found.role,
        writes: kind === 'action',
        audit: found.audit ?? null,
        ...(found.open ? { open: true } : {}),
      });
  }
  return { entries, problems };
}

function kindOf(file, program) {
  if (program.body.some((statement) => statement.directive === 'use server')) return 'action';
  if (/^app\/(.*\/)?page\.[jt]sx?$/.test(file)) return 'page';
  // A layout, slot or metadata file is an entry point only if it reads stored data.
  const readsCookies = program.body.some(
    (statement) =>
      statement.type === 'ImportDeclaration' &&
      statement.importKind !== 'type' &&
      /^#lib\/(db|runs)\//.test(statement.source.value),
  );
  return /^app\/(.*\/)?(layout|template|default|sitemap|robots|icon|apple-icon|opengraph-image|manifest)\.[jt]sx?$/.test(
    file,
  ) && readsCookies
    ? 'page'
    : null;
}

/** Returns each exported function that is reachable from outside. `body` is null if it is not a function in this file. */
function entriesOf(kind, program) {
  const entries = [];
  const local = new Map(
    program.body.flatMap((statement) =>
      declared(statement.type.startsWith('Export') ? statement.declaration : statement),
    ),
  );
  for (const statement of program.body) {
    if (statement.type === 'ExportAllDeclaration' && statement.exportKind !== 'type')
      entries.push({ exported: '*', body: null });
    if (statement.type === 'ExportDefaultDeclaration') {
      const value = statement.declaration;
      entries.push({
        exported: 'default',
        body: FUNCTIONS.includes(value.type)
          ? value
          : value.type === 'Identifier'
            ? (local.get(value.name) ?? null)
            : null,
      });
    }
    if (statement.type !== 'ExportNamedDeclaration' || statement.exportKind === 'type') continue;
    for (const [name, body] of declared(statement.declaration)) entries.push({ exported: name, body });
    for (const specifier of statement.specifiers) {
      if (specifier.exportKind === 'type') continue;
      entries.push({
        exported: specifier.exported.name ?? specifier.exported.value,
        body: statement.source === null ? (local.get(specifier.local.name) ?? null) : null,
      });
    }
  }
  if (kind === 'action') return entries;
  return entries.filter(
    (door) => door.exported === '*' || door.exported === 'default' || door.exported.startsWith('generate'),
  );
}

/** Returns the names in a declaration, each with its function, or null if its value is not a function. */
function declared(declaration) {
  if (!declaration) return [];
  if (declaration.type === 'FunctionDeclaration') return [[declaration.id.name, declaration]];
  if (declaration.type === 'ClassDeclaration') return [[declaration.id.name, null]];
  if (declaration.type !== 'VariableDeclaration') return [];
  return declaration.declarations.map(({ id, init }) => [
    id.name ?? '*',
    init && (FUNCTIONS.includes(init.type) || init.type === 'CallExpression') ? init : null,
  ]);
}

/**
 * Returns the authorize call that always runs first: outside any branch, loop or inner function, and after no await except of plain values
 * (`await params`).
 */
function findAuthorize(fn) {
  const statements =
    fn.body.type === 'BlockStatement' ? fn.body.body : [{ type: 'ReturnStatement', argument: fn.body }];
  for (const statement of statements) {
    if (statement.type === 'TryStatement') return findAuthorize({ body: statement.block });
    const values =
      statement.type === 'VariableDeclaration'
        ? statement.declarations.map(({ init }) => init)
        : [statement.type === 'ReturnStatement' ? statement.argument : statement.expression];
    for (const value of values) {
      const call = value?.type === 'AwaitExpression' ? value.argument : value;
      if (call?.type === 'CallExpression' && ['authorizePage', 'admitAnyone'].includes(call.callee.name)) {
        if (value.type !== 'AwaitExpression') return { problem: `must await ${call.callee.name}` };
        return call.callee.name === 'admitAnyone' ? openEntry(call.arguments[0]) : pageEntry(call.arguments[0]);
      }
      if (value && doesSomething(value))
        return { problem: 'must call authorizePage(path) before anything else is awaited, returned or called' };
    }
    if (!['VariableDeclaration', 'ExpressionStatement'].includes(statement.type)) break;
  }
  return { problem: 'must call authorizePage(path) first, outside of any branch' };
}

/** Reads the `defineAction` or `defineOpenAction` call of an exported action: its name, its role and its audit events. */
function readDefinition({ exported, body }) {
  const isOpen = body?.callee?.name === 'defineOpenAction';
  const [name, rules] = body?.arguments ?? [];
  if (
    (!isOpen && body?.callee?.name !== 'defineAction') ||
    name?.value !== exported ||
    rules?.type !== 'ObjectExpression'
  )
    return { problem: `must be defineAction('${exported}', { role, audit }, …)` };
  const given = Object.fromEntries(rules.properties.map(({ key, value }) => [key.name, plainValue(value)]));
  const role = isOpen ? ROLES[0] : given.role;
  const audit = typeof given.audit === 'string' ? [given.audit] : given.audit;
  if (!ROLES.includes(role) || audit === undefined)
    return { problem: `must give defineAction a literal role out of ${ROLES.join(', ')}, and what it records` };
  return { name: `action ${exported}`, role, audit, ...(isOpen ? { open: true } : {}) };
}

/** Returns the value of a literal, or of an array or object of literals. */
function plainValue(node) {
  if (node.type === 'ArrayExpression') return node.elements.map(plainValue);
  if (node.type === 'ObjectExpression')
    return Object.fromEntries(node.properties.map(({ key, value }) => [key.name, plainValue(value)]));
  return node.value;
}

/** Open entry points declare no role, so they are listed with the lowest one. */
function openEntry(argument) {
  const name = argument?.properties?.find(({ key }) => key.name === 'name')?.value.value;
  return typeof name === 'string'
    ? { name, role: ROLES[0], open: true }
    : { problem: 'must call admitAnyone with a literal name' };
}

/** A page is authorized by its own path, the key of its rules in the list of pages. */
function pageEntry(argument) {
  const rules = PAGES[argument?.value];
  return rules === undefined
    ? { problem: 'must call authorizePage with a literal path out of the list of pages' }
    : { name: `page ${argument.value}`, role: rules.role };
}

/** True if evaluating the node awaits or calls something, except for awaiting plain values such as `params`. */
function doesSomething(node) {
  if (node.type === 'AwaitExpression' && (isPlain(node.argument) || awaitsSeveralPlain(node.argument))) return false;
  return contains(node, ({ type }) =>
    ['AwaitExpression', 'CallExpression', 'NewExpression', 'ImportExpression', 'TaggedTemplateExpression'].includes(
      type,
    ),
  );
}

function isPlain(node) {
  return node.type === 'Identifier' || (node.type === 'MemberExpression' && !node.computed && isPlain(node.object));
}

function awaitsSeveralPlain(node) {
  if (node.type !== 'CallExpression' || node.callee.object?.name !== 'Promise' || node.callee.property?.name !== 'all')
    return false;
  return node.arguments[0]?.type === 'ArrayExpression' && node.arguments[0].elements.every(isPlain);
}

function hasInlineAction(program) {
  return contains(
    program,
    (node) => node.type === 'BlockStatement' && node.body.some((statement) => statement.directive === 'use server'),
  );
}

function contains(node, matches) {
  if (Array.isArray(node)) return node.some((part) => contains(part, matches));
  if (node === null || typeof node !== 'object') return false;
  return (
    (typeof node.type === 'string' && matches(node)) || Object.values(node).some((part) => contains(part, matches))
  );
}

function pathOf(kind, file) {
  if (kind === 'action') return null;
  const folders = file
    .split('/')
    .slice(1, -1)
    .filter((folder) => !/^[(@]/.test(folder));
  return `/${folders.map((folder) => folder.replace(/^\[+(?:\.\.\.)?(.+?)\]+$/, '{$1}')).join('/')}`;
}
