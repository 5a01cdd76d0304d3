import { buffer } from 'node:stream/consumers';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { importLessons } from '#lib/runs/lessons/import-lessons.ts';
import { readTar } from '#lib/runs/lessons/tar-files.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { mediaType, parseJson, receiveBody, unsupportedType } from '../../read-body.ts';

/** This route stands outside of proxy.ts, which would cut bodies off at 10 MB: `authorize` looks at Host and Origin. */
const UPLOAD_LIMIT_BYTES = 50_000_000;

const JSONL = ['application/jsonl', 'application/x-ndjson'];
const MARKDOWN = 'text/markdown';
const TAR = 'application/x-tar';
const TYPES = ['application/json', ...JSONL, MARKDOWN, TAR];

/** JSON Lines, one Markdown file, a tar of Markdown files as the export gives it, or JSON that holds one of these. */
export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/lessons/import', role: 'editor' });
    const type = mediaType(request);
    if (!TYPES.includes(type)) return unsupportedType(type, TYPES);
    const workshop = await getWorkshop();
    return receiveBody(request, { actor, limitBytes: UPLOAD_LIMIT_BYTES }, async (bytes) => {
      const input = await readImport(type, await buffer(bytes));
      return input.ok ? importLessons(workshop, actor, input.value) : input;
    });
  }, 201);
}

async function readImport(type: string, bytes: Uint8Array): Promise<Result<unknown>> {
  if (type === TAR) {
    const files = await readTar(bytes);
    return files === null
      ? fail('invalid', 'The body is not a tar archive. Nothing was stored.')
      : succeed({ format: 'markdown', files });
  }
  const text = new TextDecoder().decode(bytes);
  if (type === 'application/json') return parseJson(text);
  return succeed(
    type === MARKDOWN ? { format: 'markdown', files: [{ path: 'lesson.md', text }] } : { format: 'jsonl', text },
  );
}
