import { succeed } from '#lib/reflection/problem.ts';
import { setBackupSchedule } from '#lib/runs/backups/set-backup-schedule.ts';
import { viewBackupSchedule } from '#lib/runs/backups/view-backup-schedule.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { readJson } from '../../read-body.ts';

export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/backups/schedule', role: 'owner' });
    return succeed(await viewBackupSchedule(await getWorkshop()));
  });
}

export async function PUT(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PUT /api/v1/backups/schedule', role: 'owner' });
    const body = await readJson(request);
    return body.ok ? setBackupSchedule(await getWorkshop(), actor, body.value) : body;
  });
}
