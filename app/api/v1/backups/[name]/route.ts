import { fail } from '#lib/reflection/problem.ts';
import { getBackupHouse } from '#lib/runs/backups/backup-house.ts';
import { deleteBackup } from '#lib/runs/backups/delete-backup.ts';
import { downloadBackup } from '#lib/runs/backups/download-backup.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { downloadResponse } from '../../download-response.ts';
import { refuseBody } from '../../read-body.ts';
import { readWord } from '../../read-name.ts';

type Context = { params: Promise<{ name: string }> };

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/backups/{name}', role: 'owner' });
    const name = readWord((await params).name);
    if (name === null) return fail('not_found', 'There is no backup of this name.');
    const download = await downloadBackup(await getWorkshop(), actor, getBackupHouse(), name);
    return download.ok ? downloadResponse(request, download.value) : download;
  });
}

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/backups/{name}', role: 'owner' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const name = readWord((await params).name);
    if (name === null) return fail('not_found', 'There is no backup of this name.');
    return deleteBackup(await getWorkshop(), actor, getBackupHouse(), name);
  });
}
