-- DropIndex
DROP INDEX "lessons_admission_created_at_id_idx";

-- CreateIndex
CREATE INDEX "lessons_admission_status_created_at_id_idx" ON "lessons"("admission", "status", "created_at" DESC, "id");
