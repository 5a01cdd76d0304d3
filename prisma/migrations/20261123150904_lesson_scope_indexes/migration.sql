-- CreateIndex
CREATE INDEX "lessons_status_task_type_created_at_id_idx" ON "lessons"("status", "task_type", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "lessons_tools_idx" ON "lessons" USING GIN ("tools");

-- Task types are stored in lower case with single spaces, so that the same name is the same type.
UPDATE "lessons" SET "task_type" = lower(btrim(regexp_replace("task_type", '\s+', ' ', 'g')))
WHERE "task_type" IS DISTINCT FROM lower(btrim(regexp_replace("task_type", '\s+', ' ', 'g')));
