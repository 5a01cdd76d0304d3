import { countAssigned } from '#lib/db/assignments.ts';
import { countLessonsToReview } from '#lib/db/count-lessons.ts';
import { countWaitingRuns } from '#lib/db/count-waiting-runs.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { personOf } from '#lib/team/person-of.ts';
import { answer } from '../../answer.ts';

export async function GET(): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/inbox/count', role: 'viewer' });
    const { database } = await getWorkshop();
    const [waiting, lessonsToReview, assigned] = await Promise.all([
      countWaitingRuns(database),
      countLessonsToReview(database),
      countAssigned(database, personOf(actor)),
    ]);
    return succeed({ waiting, lessonsToReview, assigned });
  });
}
