-- AlterTable
ALTER TABLE "retrospectives" ADD COLUMN     "scheduled" BOOLEAN NOT NULL DEFAULT false;
