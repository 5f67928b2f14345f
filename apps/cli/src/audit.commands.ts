import type { Command } from 'commander';
import { Audit, Organizations, VerifyAudit, type AuditEntry, type AuditVerdict } from '#access';
import type { PageQuery } from '#platform/http';
import { addPageOptions, id } from './arguments.js';
import { BadFinding, type RunCommand } from './run-command.js';
import { time, type Columns } from './terminal.js';

const entryColumns: Columns<AuditEntry> = {
  ENTRY: (entry) => String(entry.sequence),
  AT: (entry) => time(entry.at),
  ACTOR: (entry) => entry.actor,
  ACTION: (entry) => entry.action,
  SUBJECT: (entry) => entry.subject,
  DETAILS: (entry) => JSON.stringify(entry.details),
};

const verdictColumns: Columns<AuditVerdict> = {
  ORGANIZATION: (verdict) => verdict.organizationId,
  ENTRIES: (verdict) => String(verdict.entries),
  'HASH OF THE LAST ENTRY': (verdict) => verdict.head,
  RESULT: ({ fault }) => (fault === null ? 'complete' : `entry ${fault.sequence} ${fault.reason}`),
};

export function addAuditCommands(program: Command, run: RunCommand): void {
  const audit = program.command('audit').description('the audit log: who did what, and when');

  addPageOptions(
    audit
      .command('list')
      .description('list the audit log of an organization, newest first')
      .argument('<organization>', 'id of the organization', id),
  ).action((organizationId: string, page: PageQuery) =>
    run(async ({ app, terminal }) => {
      const organization = await app.get(Organizations).get(organizationId);
      terminal.list(await app.get(Audit).list(organization.id, page), entryColumns);
    }),
  );

  audit
    .command('verify')
    .description('recompute the hash chains and report the first invalid entry of each')
    .option('--organization <id>', 'only this organization (default: all)', id)
    .action(({ organization = null }: { organization?: string | null }) =>
      run(async ({ app, terminal }) => {
        if (organization !== null) await app.get(Organizations).get(organization);
        const verdicts = await app.get(VerifyAudit).execute(organization);
        terminal.list(verdicts, verdictColumns);
        const broken = verdicts.filter(({ fault }) => fault !== null).map(({ organizationId }) => organizationId);
        if (broken.length === 0) return;
        throw new BadFinding(
          `the audit log is not intact in organization ${broken.join(', ')}: compare it with a backup, and find out who could change the table audit_entries`,
        );
      }),
    );
}
