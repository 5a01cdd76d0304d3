-- What a case is found by: the words of its input and its reference.
ALTER TABLE "dataset_cases"
ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', left("input", 2000) || ' ' || left(coalesce("reference", ''), 500))) STORED;

-- CreateIndex
CREATE INDEX "dataset_cases_search_idx" ON "dataset_cases" USING GIN ("search");
