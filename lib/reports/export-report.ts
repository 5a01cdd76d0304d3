import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { type Download, fileName, textChunks } from '#lib/formats/download.ts';
import { readReport } from './read-report.ts';
import { writeReport } from './write-report.ts';

/** The report of an experiment as an HTML file to hand on. */
export async function exportReport(context: AppContext, experimentId: string): Promise<Result<Download>> {
  const content = await readReport(context, experimentId);
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
