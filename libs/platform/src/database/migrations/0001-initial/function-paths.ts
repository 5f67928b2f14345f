/**
 * A session finds its temporary tables before the tables of the schema, and a role may create some with any name. With
 * this path, a function finds only the tables of the schema. `current_project` reads no table: with a path, PostgreSQL
 * could not merge it into the conditions of the policies.
 */
export const functionPaths = `
do $$
declare
  found regprocedure;
begin
  for found in
    select p.oid from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.proconfig is null and p.proname <> 'current_project'
       and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
  loop
    execute format('alter function %s set search_path = public, pg_temp', found);
  end loop;
end $$;
`;
