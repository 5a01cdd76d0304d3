import { randomUUID } from 'node:crypto';
import type { Database } from '#lib/database/database.ts';

type LibraryLesson = {
  text: string;
  kind?: string;
  status?: string;
  block?: string;
  agent?: string | null;
  taskType?: string | null;
  tools?: string[];
  sourceInput?: string;
  sourceScore?: number | null;
  createdAt?: string;
};

/** Stores a lesson without further processing, promoted by default. Returns its id. */
export async function libraryLesson(database: Database, lesson: LibraryLesson): Promise<string> {
  const id = randomUUID();
  await database.pool.query(
    `INSERT INTO lessons (id, kind, status, text, block, agent, task_type, tools, source_input, source_score, created_by, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'tester', $11)`,
    [
      id,
      lesson.kind ?? 'lesson',
      lesson.status ?? 'promoted',
      lesson.text,
      lesson.block ?? 'reflexion_lessons',
      lesson.agent ?? null,
      lesson.taskType ?? null,
      lesson.tools ?? [],
      lesson.sourceInput ?? '',
      lesson.sourceScore ?? null,
      lesson.createdAt ?? '2026-01-05T10:00:00.000Z',
    ],
  );
  return id;
}

/** Sets the status of lessons, like a reviewer. */
export async function setStatus(database: Database, ids: string[], status: string): Promise<void> {
  await database.pool.query('UPDATE lessons SET status = $2, reviewed_at = now() WHERE id = ANY ($1::uuid[])', [
    ids,
    status,
  ]);
}
