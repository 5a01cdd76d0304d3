-- AlterTable
ALTER TABLE "model_calls" ADD COLUMN     "kept" INTEGER[];

-- From this version on, empty lists of versions, evaluations and critiques are stored as null, which older processes cannot read. The same
-- applies to calls without unset options, and to events without a time.
