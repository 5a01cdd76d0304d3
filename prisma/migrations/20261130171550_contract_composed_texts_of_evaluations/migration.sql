-- From this version on, texts of evaluations that only repeat the reasons are stored as null, which older processes cannot read.
-- AlterTable
ALTER TABLE "evaluations" ALTER COLUMN "feedback" DROP NOT NULL,
ALTER COLUMN "detail" DROP NOT NULL;
