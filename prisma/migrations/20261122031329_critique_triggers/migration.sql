-- AlterTable
ALTER TABLE "critiques" DROP CONSTRAINT "critiques_pkey",
ADD COLUMN     "id" SERIAL NOT NULL,
ADD COLUMN     "trigger" TEXT NOT NULL DEFAULT 'completion',
ADD CONSTRAINT "critiques_pkey" PRIMARY KEY ("id");

-- AlterTable
ALTER TABLE "reflection_versions" ADD COLUMN     "output_dropped" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "critiques_run_id_id_idx" ON "critiques"("run_id", "id");
