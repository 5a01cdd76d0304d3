import type { Workshop } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { type Download, fileName, textChunks } from '#lib/formats/download.ts';
import { readReport } from './read-report.ts';
import { writeReport } from './write-report.ts';

/** The report of an experiment as an HTML file to hand on. */
export async function exportReport(workshop: Workshop, experimentId: string): Promise<Result<Download>> {
  const content = await readReport(workshop, experimentId);
  if (!content.ok) return content;
  async function* texts(page: string) {
    yield page;
  }
  return succeed({
    type: 'text/html; charset=utf-8',
    name: fileName(content.value.experiment.name, 'report.html'),
    chunks: textChunks(texts(writeReport(content.value))),
  });
}
