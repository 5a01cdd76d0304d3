-- AlterTable
ALTER TABLE "lessons" ADD COLUMN     "withheld" BOOLEAN NOT NULL DEFAULT false;
