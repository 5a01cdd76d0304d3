import { succeed } from '#lib/reflection/problem.ts';
import { getBackupHouse } from '#lib/runs/backups/backup-house.ts';
import { makeBackup } from '#lib/runs/backups/make-backup.ts';
import { viewBackups } from '#lib/runs/backups/view-backups.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { refuseBody } from '../read-body.ts';

export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/backups', role: 'owner' });
    return succeed(viewBackups(getBackupHouse()));
  });
}

export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/backups', role: 'owner' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    return makeBackup(await getWorkshop(), actor, getBackupHouse());
  }, 201);
}
