import { isMet, type Measure } from './measure.ts';

/** Formats the measures as a Markdown table that is also readable in a terminal. */
export function showTable(measures: Measure[]): string {
  const rows = [
    ['measure', 'measured', 'floor', 'ratio', 'wanted', ''],
    ...measures.map((measure) => [
      `${measure.part}: ${measure.name}`,
      `${figure(measure.value)} ${measure.unit}`,
      measure.floor === null ? '' : `${figure(measure.floor)} ${measure.unit}`,
      measure.ratio === null ? '' : measure.ratio.toFixed(2),
      formatTarget(measure),
      verdict(measure),
    ]),
  ];
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0), 3));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  const rule = `|${widths.map((width, column) => (isNumeric(column) ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`;
  return [line(head), rule, ...body.map(line)].join('\n');
}

function isNumeric(column: number): boolean {
  return column >= 1 && column <= 4;
}

function pad(cell: string, width: number, column: number): string {
  return isNumeric(column) ? cell.padStart(width) : cell.padEnd(width);
}

function formatTarget({ wanted, unit }: Measure): string {
  if (wanted === null) return '';
  return wanted.of === 'ratio' ? `≤ ${wanted.atMost} ×` : `≤ ${wanted.atMost} ${unit}`;
}

function verdict(measure: Measure): string {
  const met = isMet(measure);
  return met === null ? 'info' : met ? 'met' : 'missed';
}

function figure(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 2 : 0 });
}
