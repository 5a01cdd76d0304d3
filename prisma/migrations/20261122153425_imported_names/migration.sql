-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "imported_case" TEXT,
ADD COLUMN     "imported_run" TEXT;
