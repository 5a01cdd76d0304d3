-- How many of the most common words of lessons the server keeps count of is ten times this: a search for a lesson goes by the rarest
-- words, and must know which these are in a library of 100,000.
ALTER TABLE "lessons" ALTER COLUMN "search" SET STATISTICS 400;
