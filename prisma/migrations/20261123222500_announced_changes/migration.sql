-- Processes keep what they read of these tables in memory and hear of changes by the channel hone_changes: see lib/db/changes.ts.
-- A transaction that changes many rows of a table announces it once.
CREATE FUNCTION announce_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('hone_changes', TG_ARGV[0]);
  RETURN NULL;
END
$$;

CREATE TRIGGER providers_announce AFTER INSERT OR UPDATE OR DELETE ON "providers" FOR EACH STATEMENT EXECUTE FUNCTION announce_change('providers');
CREATE TRIGGER refused_parameters_announce AFTER INSERT OR UPDATE OR DELETE ON "refused_parameters" FOR EACH STATEMENT EXECUTE FUNCTION announce_change('providers');

CREATE TRIGGER installation_settings_announce AFTER INSERT OR UPDATE OR DELETE ON "installation_settings" FOR EACH STATEMENT EXECUTE FUNCTION announce_change('limits');
CREATE TRIGGER experiment_versions_announce AFTER INSERT OR UPDATE OR DELETE ON "experiment_versions" FOR EACH STATEMENT EXECUTE FUNCTION announce_change('limits');

-- What recall reads of promoted lessons. How their recalls turned out is none of it.
CREATE TRIGGER lessons_announce_new AFTER INSERT ON "lessons" FOR EACH ROW
  WHEN (NEW.status = 'promoted') EXECUTE FUNCTION announce_change('lessons');
CREATE TRIGGER lessons_announce_deleted AFTER DELETE ON "lessons" FOR EACH ROW
  WHEN (OLD.status = 'promoted') EXECUTE FUNCTION announce_change('lessons');
CREATE TRIGGER lessons_announce_changed AFTER UPDATE ON "lessons" FOR EACH ROW
  WHEN ((OLD.status = 'promoted' OR NEW.status = 'promoted') AND
    (OLD.status, OLD.kind, OLD.text, OLD.block, OLD.agent, OLD.task_type, OLD.tools, OLD.source_input, OLD.also_from, OLD.merged_into_id) IS DISTINCT FROM
    (NEW.status, NEW.kind, NEW.text, NEW.block, NEW.agent, NEW.task_type, NEW.tools, NEW.source_input, NEW.also_from, NEW.merged_into_id))
  EXECUTE FUNCTION announce_change('lessons');

-- Work beside the runs that is done soon.
CREATE TRIGGER lessons_announce_waiting AFTER INSERT OR UPDATE OF admission, status ON "lessons" FOR EACH ROW
  WHEN (NEW.admission = 'waiting' AND NEW.status = 'candidate') EXECUTE FUNCTION announce_change('work');
CREATE TRIGGER webhook_deliveries_announce AFTER INSERT OR UPDATE OF next_try_at ON "webhook_deliveries" FOR EACH ROW
  WHEN (NEW.next_try_at IS NOT NULL) EXECUTE FUNCTION announce_change('work');
CREATE TRIGGER installation_settings_announce_work AFTER INSERT OR UPDATE ON "installation_settings" FOR EACH ROW
  WHEN (NEW.key = 'stop_all') EXECUTE FUNCTION announce_change('work');
CREATE TRIGGER runs_announce_expiry AFTER UPDATE OF pause_expires_at ON "runs" FOR EACH ROW
  WHEN (NEW.pause_expires_at IS NOT NULL AND NEW.pause_expires_at IS DISTINCT FROM OLD.pause_expires_at) EXECUTE FUNCTION announce_change('work');

-- Work beside the runs that is done for many of them together.
CREATE TRIGGER run_measures_announce AFTER INSERT OR UPDATE OF searched ON "run_measures" FOR EACH ROW
  WHEN (NOT NEW.searched) EXECUTE FUNCTION announce_change('ended');

CREATE TRIGGER app_processes_announce AFTER INSERT ON "app_processes" FOR EACH ROW EXECUTE FUNCTION announce_change('processes');
