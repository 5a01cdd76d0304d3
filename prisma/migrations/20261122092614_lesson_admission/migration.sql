-- DropIndex
DROP INDEX "lessons_run_id_version_kind_key";

-- AlterTable
ALTER TABLE "lesson_checks" ADD COLUMN     "edit" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "lesson_edits" ADD COLUMN     "actor_id" TEXT,
ADD COLUMN     "scope" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "lessons" ADD COLUMN     "admission" TEXT NOT NULL DEFAULT 'waiting',
ADD COLUMN     "author_id" TEXT;

-- CreateIndex
CREATE INDEX "lessons_run_id_version_idx" ON "lessons"("run_id", "version");

-- CreateIndex
CREATE INDEX "lessons_status_helpful_created_at_id_idx" ON "lessons"("status", "helpful" DESC, "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "lessons_admission_created_at_id_idx" ON "lessons"("admission", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "lessons_agent_kind_created_at_idx" ON "lessons"("agent", "kind", "created_at" DESC);

-- CreateIndex
CREATE INDEX "lessons_text_idx" ON "lessons" USING HASH ("text");
