-- AlterTable
ALTER TABLE "dataset_cases" ADD COLUMN     "messages" JSONB;

-- AlterTable
ALTER TABLE "run_cases" ADD COLUMN     "messages" JSONB;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "messages" JSONB;

-- CreateTable
CREATE TABLE "stored_files" (
    "sha256" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "name" TEXT,
    "bytes" BYTEA NOT NULL,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stored_files_pkey" PRIMARY KEY ("sha256")
);

-- CreateIndex
CREATE INDEX "stored_files_used_at_idx" ON "stored_files"("used_at");
