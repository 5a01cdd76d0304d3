import { importLessons } from '#lib/runs/lessons/import-lessons.ts';
import { LESSON_UPLOAD_BYTES, type LessonUpload } from '#lib/runs/lessons/read-lesson-upload.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { mediaType, receiveBody, unsupportedType } from '../../read-body.ts';

const FORMATS = new Map<string, LessonUpload['format']>([
  ['application/json', 'json'],
  ['application/jsonl', 'jsonl'],
  ['application/x-ndjson', 'jsonl'],
  ['text/markdown', 'markdown'],
  ['application/x-tar', 'tar'],
]);

/**
 * JSON Lines, one Markdown file, a tar of Markdown files as the export gives it, or JSON that holds one of these. This route stands
 * outside of proxy.ts, which would cut bodies off at 10 MB: `authorize` looks at Host and Origin.
 */
export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/lessons/import', role: 'editor' });
    const type = mediaType(request);
    const format = FORMATS.get(type);
    if (format === undefined) return unsupportedType(type, [...FORMATS.keys()]);
    const workshop = await getWorkshop();
    return receiveBody(request, { actor, limitBytes: LESSON_UPLOAD_BYTES }, (bytes) =>
      importLessons(workshop, actor, { format, bytes }),
    );
  }, 201);
}
