import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notifies every process to clear its cache of API keys when a key or a project was changed or deleted by any client. */
export class ApiKeyChanges0010 implements MigrationInterface {
  readonly name = 'ApiKeyChanges1763800000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function notify_api_key_changes() returns trigger language plpgsql as $$
      begin
        perform pg_notify('api_key_changes', '');
        return null;
      end $$`);
    // A change of last_used_at sends no notification, because it is frequent and grants nothing.
    await runner.query(`
      create trigger notify_changes
        after update of hash, scopes, ip_allowlist, expires_at, revoked_at, project_id or delete on api_keys
        for each statement execute function notify_api_key_changes()`);
    await runner.query(`
      create trigger notify_changes after update of deleted_at, organization_id, mode or delete on projects
        for each statement execute function notify_api_key_changes()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop trigger notify_changes on projects`);
    await runner.query(`drop trigger notify_changes on api_keys`);
    await runner.query(`drop function notify_api_key_changes()`);
  }
}
