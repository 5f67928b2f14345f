import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Projects, type ActiveProject } from '#access';
import type { AccessKind, ConnectMethod } from '#exchange';
import { Clock } from '#platform/clock';
import { Vault, type SealedRecord } from '#platform/crypto';
import { acrossProjects, actFor, Database } from '#platform/database';
import type { QrStatus, SessionError, SessionState } from './connect-view.js';

/** A row of `connect_sessions`, with facts of its project. */
export interface ConnectSession {
  id: string;
  project: ActiveProject;
  idem: string;
  /** The application's id of the wallet. */
  externalWalletId: string;
  /** null = the person has not chosen an exchange yet. */
  exchange: string | null;
  /** Whether the person chooses the exchange on the page. */
  picksExchange: boolean;
  mayReplace: boolean;
  /** The API key that began the session; null for a page in a browser. */
  apiKeyId: string | null;
  /** The access that the request for the link named; null = the request named no access. */
  requestedAccess: AccessKind[] | null;
  /** The access that the page asks for at the exchange. */
  access: AccessKind[];
  country: string | null;
  /** The connect method to offer first. */
  requestedMethod: ConnectMethod | null;
  openerOrigin: string | null;
  returnUrl: string | null;
  tokenHash: Buffer;
  browserHash: Buffer | null;
  state: SessionState;
  /** The connect method of the current or the last attempt. */
  method: ConnectMethod | null;
  sealed: SealedRecord | null;
  qrStatus: QrStatus | null;
  leaseUntil: Date | null;
  attempts: number;
  error: SessionError | null;
  expiresAt: Date;
  updatedAt: Date;
}

/** A session whose exchange is known. An attempt can begin only with such a session. */
export type ChosenSession = ConnectSession & { exchange: string };

export const isChosen = (session: ConnectSession): session is ChosenSession => session.exchange !== null;

type SessionRow = Omit<ConnectSession, 'project'> & { projectId: string };

/** A change of state. Data of the previous state is removed unless it is given again. */
export interface Move {
  state: SessionState;
  /** Absent = the connect method does not change. */
  method?: ConnectMethod;
  stateHash?: Buffer;
  sealed?: SealedRecord;
  qrStatus?: QrStatus;
  leaseUntil?: Date;
  /**
   * The exchange that the person has chosen, and the access that the page asks for there. When this changes the
   * exchange of the session, the stored error of the attempt at the former exchange is removed.
   */
  chosen?: Pick<ChosenSession, 'exchange' | 'access'>;
  /** Result of the attempt that ends with this change; absent when no attempt ends. */
  error?: SessionError;
  /** Whether the change begins one more attempt. */
  isAttempt?: boolean;
  /** The browser that owns the session from now on. */
  browserHash?: Buffer;
}

const READ = `
  select s.id, s.project_id as "projectId",
         s.idem, s.external_wallet_id as "externalWalletId", s.exchange, s.picks_exchange as "picksExchange", s.may_replace as "mayReplace",
         s.requested_access as "requestedAccess",
         s.api_key_id as "apiKeyId", s.access, s.country, s.preferred_method as "requestedMethod", s.opener_origin as "openerOrigin", s.return_url as "returnUrl", s.token_hash as "tokenHash",
         s.browser_hash as "browserHash", s.state, s.method, s.sealed, s.qr_status as "qrStatus",
         s.lease_until as "leaseUntil", s.attempts, s.error, s.expires_at as "expiresAt", s.updated_at as "updatedAt"
    from connect_sessions s`;

const OVERDUE = `s.finished_at is null
  and case when s.state = 'connecting' then s.lease_until <= $1 else s.expires_at <= $1 end`;

const ENDED: readonly SessionState[] = ['connected', 'failed'];

export function hasEnded({ state }: Pick<ConnectSession, 'state'>): boolean {
  return ENDED.includes(state);
}

/**
 * Stores sessions and their changes of state. A change applies only when the session is still in the state that was
 * read, so that only one of two concurrent changes is made.
 */
@Injectable()
export class SessionStore {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly projects: Projects,
  ) {}

  /** Finds a session by a secret or an id of its own. The rest of the request then acts for the session's project. */
  async find(
    by: 'id' | 'token_hash' | 'state_hash' | 'spent_state_hash',
    value: string | Buffer,
  ): Promise<ConnectSession | null> {
    const found = await this.findWhere(`s.${by} = $1`, [value]);
    if (found !== null) actFor(found.project.id);
    return found;
  }

  findByIdem(organizationId: string, idem: string): Promise<ConnectSession | null> {
    return this.findWhere(`s.organization_id = $1 and s.idem = $2`, [organizationId, idem]);
  }

  /**
   * Lists the sessions that have expired, and those in the state `connecting` whose lease has ended. The oldest session
   * comes first.
   */
  async overdue(limit: number): Promise<ConnectSession[]> {
    const now = this.clock.now();
    const owners = await this.db.query<{ projectId: string }>(
      `select distinct s.project_id as "projectId" from connect_sessions s where ${OVERDUE}`,
      [now],
    );
    // Sessions of stopped projects are left out before the limit applies, so that they do not use up the limit.
    const active = await this.projects.listActive(owners.map(({ projectId }) => projectId));
    const rows = await this.db.query<SessionRow>(
      `${READ} where ${OVERDUE} and s.project_id = any($2) order by s.created_at limit $3`,
      [now, active.map(({ id }) => id), limit],
    );
    return joinProjects(rows, active);
  }

  /** @returns null when a concurrent request has moved the session since it was read */
  async move<Seen extends ConnectSession>(seen: Seen, to: Move, tx?: EntityManager): Promise<Seen | null> {
    const now = this.clock.now();
    const after = moved(seen, to, now);
    const rows = await this.db.query<{ id: string }>(
      `update connect_sessions
          set state = $2, method = coalesce($3, method), spent_state_hash = coalesce(state_hash, spent_state_hash),
              state_hash = $4, next_poll_at = null, sealed = $5, qr_status = $6, lease_until = $7,
              error = case when $8::jsonb is not null then $8::jsonb
                           when $2 = 'connected' or coalesce($16, exchange) is distinct from exchange then null
                           else error end,
              attempts = $15,
              browser_hash = coalesce($9, browser_hash), updated_at = $10,
              exchange = coalesce($16, exchange), access = coalesce($17, access),
              finished_at = case when $2 in ('connected', 'failed') then $10::timestamptz end
        where id = $1 and state = $11 and sealed is not distinct from $12::jsonb and lease_until is not distinct from $13
          and attempts = $14
        returning id`,
      [
        seen.id,
        to.state,
        to.method ?? null,
        to.stateHash ?? null,
        toJson(to.sealed),
        to.qrStatus ?? null,
        to.leaseUntil ?? null,
        toJson(to.error),
        to.browserHash ?? null,
        now,
        seen.state,
        toJson(seen.sealed),
        seen.leaseUntil,
        seen.attempts,
        after.attempts,
        to.chosen?.exchange ?? null,
        to.chosen?.access ?? null,
      ],
      tx,
    );
    return rows.length === 0 ? null : after;
  }

  /**
   * Gives the caller the exclusive right to poll the exchange for this session.
   * @returns the end of the right; null when another request has the right, or the pause after a poll is not over
   */
  async takePoll({ id }: ConnectSession, forMs: number): Promise<Date | null> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + forMs);
    const taken = await this.db.query(
      `update connect_sessions set next_poll_at = $2
        where id = $1 and (next_poll_at is null or next_poll_at <= $3) returning id`,
      [id, until, now],
    );
    return taken.length > 0 ? until : null;
  }

  /**
   * Extends the exclusive right to poll that a worker took when it enqueued the job.
   * @param taken the end of this right
   * @returns the new end of the right; null when the right has ended
   */
  async extendPoll({ id }: ConnectSession, taken: Date, forMs: number): Promise<Date | null> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + forMs);
    const kept = await this.db.query(
      `update connect_sessions set next_poll_at = $2 where id = $1 and next_poll_at = $3 and $3 > $4 returning id`,
      [id, until, taken, now],
    );
    return kept.length > 0 ? until : null;
  }

  /**
   * Takes the exclusive right to poll for up to `limit` QR logins that are due.
   * @param forMs how long the right lasts: the time for which the job of a login may wait in the queue
   */
  async takeDuePolls(limit: number, forMs: number): Promise<{ ids: string[]; until: Date }> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + forMs);
    const due = await this.db.query<{ id: string }>(
      `update connect_sessions set next_poll_at = $2
        where id in (select id from connect_sessions c
                      where state = 'scanning' and (next_poll_at is null or next_poll_at <= $1)
                        and not exists (select from stopped_projects s where s.id = c.project_id)
                      order by next_poll_at nulls first limit $3 for no key update skip locked)
       returning id`,
      [now, until, limit],
    );
    return { ids: due.map(({ id }) => id), until };
  }

  /**
   * Ends the poll. The next poll may begin after `pauseMs`. Changes nothing when another request has taken over the
   * right to poll.
   */
  async endPoll({ id }: ConnectSession, taken: Date, pauseMs: number): Promise<void> {
    const next = new Date(this.clock.now().getTime() + pauseMs);
    await this.db.query(`update connect_sessions set next_poll_at = $2 where id = $1 and next_poll_at = $3`, [
      id,
      next,
      taken,
    ]);
  }

  /** @throws KeysUnavailable */
  seal({ id, project }: ConnectSession, content: object): Promise<SealedRecord> {
    return this.vault.seal(JSON.stringify(content), contextOf(id, project));
  }

  /** Opens the sealed content. @throws KeysUnavailable @throws Error when the session has no sealed content */
  async unseal<Content>({ id, project, sealed }: ConnectSession): Promise<Content> {
    if (sealed === null) throw new Error('the connect session has no sealed data in its present state');
    return JSON.parse(await this.vault.open(sealed, contextOf(id, project))) as Content;
  }

  /** Adds the project to each session, and leaves out sessions of deleted and suspended projects. */
  private async withProjects(rows: readonly SessionRow[]): Promise<ConnectSession[]> {
    return joinProjects(rows, await this.projects.listActive(rows.map(({ projectId }) => projectId)));
  }

  private async findWhere(condition: string, values: unknown[]): Promise<ConnectSession | null> {
    const rows = await acrossProjects(() => this.db.query<SessionRow>(`${READ} where ${condition}`, values));
    const [found] = await this.withProjects(rows);
    return found ?? null;
  }
}

function joinProjects(rows: readonly SessionRow[], projects: readonly ActiveProject[]): ConnectSession[] {
  const byId = new Map(projects.map((project) => [project.id, project]));
  return rows.flatMap(({ projectId, ...session }) => {
    const project = byId.get(projectId);
    return project === undefined ? [] : [{ ...session, project }];
  });
}

function moved<Seen extends ConnectSession>(seen: Seen, to: Move, now: Date): Seen {
  const isOtherExchange = to.chosen !== undefined && to.chosen.exchange !== seen.exchange;
  return {
    ...seen,
    ...to.chosen,
    state: to.state,
    method: to.method ?? seen.method,
    sealed: to.sealed ?? null,
    qrStatus: to.qrStatus ?? null,
    leaseUntil: to.leaseUntil ?? null,
    attempts: seen.attempts + (to.isAttempt === true ? 1 : 0),
    error: to.error ?? (to.state === 'connected' || isOtherExchange ? null : seen.error),
    browserHash: to.browserHash ?? seen.browserHash,
    updatedAt: now,
  };
}

function contextOf(id: string, { organizationId, id: projectId }: ConnectSession['project']) {
  return { organizationId, projectId, walletId: id, field: 'connect' };
}

function toJson(value: object | null | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
