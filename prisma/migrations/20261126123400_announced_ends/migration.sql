-- A run is made searchable in the save that ends it: its end is announced whether it is or not.
DROP TRIGGER run_measures_announce ON "run_measures";
CREATE TRIGGER run_measures_announce AFTER INSERT OR UPDATE OF revision ON "run_measures" FOR EACH ROW
  EXECUTE FUNCTION announce_change('ended');
