import { findLessonPeople } from '#lib/runs/lessons/find-lesson-people.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { readId } from '../../../read-id.ts';

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/lessons/{id}/people', role: 'viewer' });
    const id = await readId(params, 'lesson');
    return id.ok ? findLessonPeople(await getWorkshop(), actor, id.value) : id;
  });
}
