import { countLessonsToReview } from '#lib/db/count-lessons.ts';
import { countWaitingRuns } from '#lib/db/count-waiting-runs.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';

export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/inbox/count', role: 'viewer' });
    const { database } = await getWorkshop();
    const [waiting, lessonsToReview] = await Promise.all([countWaitingRuns(database), countLessonsToReview(database)]);
    return succeed({ waiting, lessonsToReview });
  });
}
