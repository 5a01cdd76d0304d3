import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { importLessons } from '#lib/runs/lessons/import-lessons.ts';
import { readTar } from '#lib/runs/lessons/tar-files.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { mediaType, readBytes, readJson, readText, unsupportedType } from '../../read-body.ts';

/** This route stands outside of proxy.ts, which would cut bodies off at 10 MB: `authorize` looks at Host and Origin. */
const UPLOAD_LIMIT_BYTES = 50_000_000;

const JSONL = ['application/jsonl', 'application/x-ndjson'];
const MARKDOWN = 'text/markdown';
const TAR = 'application/x-tar';

/** JSON Lines, one Markdown file, a tar of Markdown files as the export gives it, or JSON that holds one of these. */
export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/lessons/import', role: 'editor' });
    const input = await readImport(request);
    return input.ok ? importLessons(await getWorkshop(), actor, input.value) : input;
  }, 201);
}

async function readImport(request: Request): Promise<Result<unknown>> {
  const type = mediaType(request);
  if (type === 'application/json') return readJson(request, UPLOAD_LIMIT_BYTES);
  if (JSONL.includes(type)) {
    const text = await readText(request, UPLOAD_LIMIT_BYTES);
    return text.ok ? succeed({ format: 'jsonl', text: text.value }) : text;
  }
  if (type === MARKDOWN) {
    const text = await readText(request, UPLOAD_LIMIT_BYTES);
    return text.ok ? succeed({ format: 'markdown', files: [{ path: 'lesson.md', text: text.value }] }) : text;
  }
  if (type !== TAR) return unsupportedType(type, ['application/json', ...JSONL, MARKDOWN, TAR]);
  const bytes = await readBytes(request, UPLOAD_LIMIT_BYTES);
  if (!bytes.ok) return bytes;
  const files = await readTar(bytes.value);
  return files === null
    ? fail('invalid', 'The body is not a tar archive. Nothing was stored.')
    : succeed({ format: 'markdown', files });
}
