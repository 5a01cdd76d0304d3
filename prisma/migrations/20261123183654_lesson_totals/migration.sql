-- CreateTable
CREATE TABLE "lesson_totals" (
    "id" SERIAL NOT NULL,
    "status" TEXT NOT NULL,
    "lessons" BIGINT NOT NULL,
    "review" BIGINT NOT NULL,
    "refuted" BIGINT NOT NULL,

    CONSTRAINT "lesson_totals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "decisions_at_idx" ON "decisions"("at" DESC) WHERE by = 'person' AND decision IN ('score', 'override') AND score IS NOT NULL;

-- CreateIndex
CREATE INDEX "run_measures_judged_idx" ON "run_measures"("ended_at" DESC) WHERE judged <> '[]';

-- What lessons add to the totals of their status.
CREATE FUNCTION note_new_lessons() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lesson_totals (status, lessons, review, refuted)
  SELECT l.status, count(*), count(*) FILTER (WHERE l.status = 'quarantined' OR (l.status = 'candidate' AND l.admission = 'held')),
    count(*) FILTER (WHERE l.status = 'promoted' AND l.harmful >= 2 AND l.harmful > l.helpful)
  FROM new_lessons l GROUP BY l.status;
  RETURN NULL;
END
$$;
CREATE TRIGGER lessons_note_new AFTER INSERT ON "lessons" REFERENCING NEW TABLE AS new_lessons FOR EACH STATEMENT EXECUTE FUNCTION note_new_lessons();

CREATE FUNCTION note_deleted_lessons() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lesson_totals (status, lessons, review, refuted)
  SELECT l.status, -count(*), -count(*) FILTER (WHERE l.status = 'quarantined' OR (l.status = 'candidate' AND l.admission = 'held')),
    -count(*) FILTER (WHERE l.status = 'promoted' AND l.harmful >= 2 AND l.harmful > l.helpful)
  FROM old_lessons l GROUP BY l.status;
  RETURN NULL;
END
$$;
CREATE TRIGGER lessons_note_deleted AFTER DELETE ON "lessons" REFERENCING OLD TABLE AS old_lessons FOR EACH STATEMENT EXECUTE FUNCTION note_deleted_lessons();

CREATE FUNCTION note_changed_lesson() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lesson_totals (status, lessons, review, refuted) VALUES
    (OLD.status, -1, -((OLD.status = 'quarantined' OR (OLD.status = 'candidate' AND OLD.admission = 'held'))::int), -((OLD.status = 'promoted' AND OLD.harmful >= 2 AND OLD.harmful > OLD.helpful)::int)),
    (NEW.status, 1, (NEW.status = 'quarantined' OR (NEW.status = 'candidate' AND NEW.admission = 'held'))::int, (NEW.status = 'promoted' AND NEW.harmful >= 2 AND NEW.harmful > NEW.helpful)::int);
  RETURN NULL;
END
$$;
CREATE TRIGGER lessons_note_changed AFTER UPDATE ON "lessons" FOR EACH ROW
  WHEN ((OLD.status, OLD.admission = 'held', OLD.harmful >= 2 AND OLD.harmful > OLD.helpful) IS DISTINCT FROM
    (NEW.status, NEW.admission = 'held', NEW.harmful >= 2 AND NEW.harmful > NEW.helpful))
  EXECUTE FUNCTION note_changed_lesson();

INSERT INTO "lesson_totals" (status, lessons, review, refuted)
SELECT l.status, count(*), count(*) FILTER (WHERE l.status = 'quarantined' OR (l.status = 'candidate' AND l.admission = 'held')),
  count(*) FILTER (WHERE l.status = 'promoted' AND l.harmful >= 2 AND l.harmful > l.helpful)
FROM "lessons" l GROUP BY l.status;
