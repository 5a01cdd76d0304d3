-- AlterTable
ALTER TABLE "lessons" ADD COLUMN     "also_from" TEXT NOT NULL DEFAULT '';

-- What a generated column is made of can't be changed in PostgreSQL 15: it is made anew, with its index and statistics.
ALTER TABLE "lessons" DROP COLUMN "search";
ALTER TABLE "lessons" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('english'::regconfig, "text" || ' ' || left("source_input", 200) || ' ' || "also_from")) STORED;
CREATE INDEX "lessons_search_idx" ON "lessons" USING GIN ("search");
ALTER TABLE "lessons" ALTER COLUMN "search" SET STATISTICS 400;
