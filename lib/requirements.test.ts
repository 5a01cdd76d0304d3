import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ROUTES } from '#lib/api/routes.ts';
import { settingsSchema } from '#lib/core/settings.ts';

const TABLE = 'docs/requirements.md';
const STATES = ['works', 'differs'];

type Row = { number: string; requirement: string; state: string; code: string; tests: string };

/** Returns the rows of the requirement tables in file order; `number` is the unvalidated first cell. */
function readRows(markdown: string): Row[] {
  const lines = markdown.split('\n');
  return lines.flatMap((line, at) => {
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    const [number = '', requirement = '', state = '', code = '', tests = ''] = cells;
    const isHead = number === 'Number' || /^-+$/.test(number);
    const isOfTable = cells.length === 5 && !isHead;
    if (!isOfTable && /^\|\s*R\d/.test(line)) throw new Error(`line ${at + 1} has ${cells.length} cells, not 5`);
    return isOfTable ? [{ number, requirement, state, code, tests }] : [];
  });
}

/** Returns the error in a row, or null. `read` returns the text of a project file, or null if there is none. */
function faultOf(row: Row, expectedNumber: string, read: (file: string) => string | null): string | null {
  const { number, requirement, state, code, tests } = row;
  if (number !== expectedNumber) return `${number} stands where ${expectedNumber} is due`;
  if (requirement === '') return `${number} says nothing`;
  if (!STATES.includes(state)) return `${number} has the state "${state}"`;
  if (code === '') return `${number} does not say where it is`;
  if (state === 'differs' && !/ Why: \S/.test(code)) return `${number} does not say why it differs`;
  for (const given of tests.split('<br>')) {
    const { file, title } = /^`(?<file>[^`]+)` › (?<title>.+)$/.exec(given)?.groups ?? {};
    if (file === undefined || title === undefined) return `${number} names no test: "${given}"`;
    if (!/\.(test|spec)\.tsx?$/.test(file)) return `${number} names ${file}, which is no file of tests`;
    const source = read(file);
    if (source === null) return `${number} names ${file}, which is not there`;
    if (!hasTitle(source, title.replaceAll('\\|', '|'))) return `${number}: ${file} has no test "${title}"`;
  }
  return null;
}

/** True if a test file contains the title as a complete string literal, of a test or of a case. */
function hasTitle(source: string, title: string): boolean {
  return [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => source.includes(quoted));
}

/** Returns the expected row numbers, consecutive from 1 in each section. A section begins at the first number of its document. */
function expectedNumbers(rows: Row[]): string[] {
  let section = 0;
  let index = 0;
  return rows.map(({ number }) => {
    const isNext = number === `R${section + 1}.1`;
    section = isNext ? section + 1 : section;
    index = isNext ? 1 : index + 1;
    return `R${section}.${index}`;
  });
}

/** Returns settings named in a row, such as `lessons.topK`, that do not exist. Parts of an agent's base depend on its type. */
function unknownSettings(rows: Row[]): string[] {
  const settings: object = settingsSchema.parse({
    mode: 'retry',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria: [{ name: 'quality', evaluator: 'llm' }],
  });
  const groups = Object.entries(settings).filter(([, value]) => Object(value) === value && !Array.isArray(value));
  return rows.flatMap(({ number, code }) =>
    groups.flatMap(([group, members]) =>
      [...code.matchAll(new RegExp(`\`${group}\\.(\\w+)`, 'g'))]
        .filter(([, name = '']) => !Object.hasOwn(Object(members), name))
        .map(([named]) => `${number} names ${named}`),
    ),
  );
}

/** Returns requests named in a row, such as `GET /runs/{id}`, that no API route handles. */
function unknownRequests(rows: Row[]): string[] {
  return rows.flatMap(({ number, code }) =>
    [...code.matchAll(/`(GET|POST|PATCH|DELETE) (\/[^`?]+)`/g)]
      .filter(([, method, path]) => !ROUTES.some(({ name }) => name === `${method} /api/v1${path}`))
      .map(([request]) => `${number} names ${request}`),
  );
}

function faultsOf(rows: Row[], read: (file: string) => string | null): string[] {
  const numbers = expectedNumbers(rows);
  return rows.flatMap((row, at) => faultOf(row, numbers[at] ?? '', read) ?? []);
}

describe('the table of requirements', () => {
  const markdown = readFileSync(TABLE, 'utf8');
  const rows = readRows(markdown);
  const sources = new Map<string, string | null>();
  const read = (file: string) => {
    const known = sources.get(file);
    if (known !== undefined) return known;
    const source = textOf(file);
    sources.set(file, source);
    return source;
  };

  test('has consecutive numbers, allowed states and existing tests', () => {
    expect(faultsOf(rows, read)).toEqual([]);
  });

  test('names only existing settings and requests', () => {
    expect([...unknownSettings(rows), ...unknownRequests(rows)]).toEqual([]);
  });

  test('has rows for all five documents', () => {
    const sections = new Set(rows.map(({ number }) => number.split('.')[0]));
    expect([...sections]).toEqual(['R1', 'R2', 'R3', 'R4', 'R5']);
    expect(markdown.match(/^## \d /gm)).toEqual(['## 1 ', '## 2 ', '## 3 ', '## 4 ', '## 5 ']);
    expect(rows.length).toBeGreaterThan(400);
  });
});

describe('a row is refused', () => {
  const SOURCE = "test('adds', () => {});";
  const read = (file: string) => (file === 'lib/sum.test.ts' ? SOURCE : null);
  const TEST = '`lib/sum.test.ts` › adds';

  test.each([
    ['an unknown state', `| R1.1 | Adds. | missing | \`add\` | ${TEST} |`],
    ['a missing state', `| R1.1 | Adds. | | \`add\` | ${TEST} |`],
    ['a difference without a reason', `| R1.1 | Adds. | differs | \`add\` | ${TEST} |`],
    ['a missing place', `| R1.1 | Adds. | works | | ${TEST} |`],
    [
      'a gap in the numbers',
      `| R1.1 | Adds. | works | \`add\` | ${TEST} |\n| R1.3 | Adds. | works | \`add\` | ${TEST} |`,
    ],
    ['a repeated number', `| R1.1 | Adds. | works | \`add\` | ${TEST} |\n| R1.1 | Adds. | works | \`add\` | ${TEST} |`],
    ['a missing section', `| R2.1 | Adds. | works | \`add\` | ${TEST} |`],
    ['a missing test', '| R1.1 | Adds. | works | `add` | |'],
    ['an unknown file', '| R1.1 | Adds. | works | `add` | `lib/gone.test.ts` › adds |'],
    ['a file without tests', '| R1.1 | Adds. | works | `add` | `lib/sum.ts` › adds |'],
    ['an unknown title', '| R1.1 | Adds. | works | `add` | `lib/sum.test.ts` › add |'],
    ['an unknown second title', `| R1.1 | Adds. | works | \`add\` | ${TEST}<br>\`lib/sum.test.ts\` › adds up |`],
  ])('for %s', (_name, lines) => {
    expect(faultsOf(readRows(lines), read)).not.toEqual([]);
  });

  test.each([
    ['an unknown setting', '`lessons.topM`'],
    ['a request without a route', '`POST /runs/{id}/retrospectives`'],
    ['an unknown route', '`GET /runs/{id}/thoughts`'],
  ])('for %s', (_name, cell) => {
    const rows = readRows(`| R1.1 | Adds. | works | ${cell} | ${TEST} |`);
    expect([...unknownSettings(rows), ...unknownRequests(rows)]).toHaveLength(1);
  });

  test('does not apply to a valid row', () => {
    const lines = `| R1.1 | Adds. | works | \`add\` | ${TEST} |\n| R2.1 | Adds. | differs | No. Why: it is slow. | ${TEST}<br>${TEST} |`;
    expect(faultsOf(readRows(lines), read)).toEqual([]);
  });

  test('for a number of cells other than five', () => {
    expect(() => readRows(`| R1.1 | Adds. | works | ${TEST} |`)).toThrow('line 1 has 4 cells');
  });
});

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
