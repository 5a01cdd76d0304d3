import { walkAudit } from '#lib/db/list-audit.ts';
import { textChunks } from '#lib/runs/exchange/download.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { downloadResponse } from '../../download-response.ts';
import { noteExport } from '../../note-export.ts';
import { readQuery } from '../../read-query.ts';
import { auditExportQuery, auditFilterOf } from '../audit-query.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/audit/export', role: 'owner' });
    const query = readQuery(request, auditExportQuery);
    if (!query.ok) return query;
    const { database, now } = await getWorkshop();
    // What is asked for is what was noted up to now: without an end the file would hold its own line.
    const filter = { ...auditFilterOf(query.value), to: new Date(query.value.to ?? now()) };
    const chunks = textChunks(asLines(walkAudit(database, filter)));
    await noteExport(actor, { kind: 'audit' }, { what: 'audit log' });
    return downloadResponse(request, {
      type: 'application/x-ndjson; charset=utf-8',
      name: `hone-audit-${now().toISOString().slice(0, 10)}.jsonl`,
      chunks,
    });
  });
}

async function* asLines(entries: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}
