import { Injectable } from '@nestjs/common';
import type { Caller, ProjectIdentity } from '#access';
import type { AccessKind, ConnectMethod } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { Conflict, ValidationFailed } from '#platform/errors';
import { ReservedTopics } from '#platform/events';
import { ConnectProjects } from '../projects/connect-projects.service.js';
import { preferredFirst } from '../session/connect-sessions.service.js';
import { ConnectTokens, digestOf } from '../session/connect-tokens.js';
import { ConnectTerms, countryOf, type Terms, type TermsRequest } from './connect-terms.js';
import { PublicAddress } from '../session/public-address.js';
import { hasEnded, SessionStore, type ConnectSession } from '../session/session-store.js';

export interface BeginSessionInput {
  /** null = the person chooses an exchange on the page. */
  exchange: string | null;
  externalWalletId: string;
  /** The caller's id of the session, and the topic of the session's messages. */
  idem: string;
  /** null = the access that the project has set, else all access that the project's API keys can use. */
  access: readonly AccessKind[] | null;
  /** The connect method to offer first; null means the best one. */
  method: ConnectMethod | null;
  country: string | null;
  /** The country that the CDN reports; null when no CDN is trusted. */
  detectedCountry: string | null;
  returnUrl: string | null;
  /** Origin of the page that opens the link as a popup and receives the outcome; null without such a page. */
  openerOrigin: string | null;
}

export interface BegunSession {
  idem: string;
  /** The address of the hosted page. */
  url: string;
  /** Whether the method that is offered first is a QR code. */
  isQrCode: boolean;
  expiresAt: Date;
}

/** The parameters of a session. A repeat with equal parameters gets the same session. */
type NewSession = Pick<
  ConnectSession,
  | 'idem'
  | 'externalWalletId'
  | 'exchange'
  | 'picksExchange'
  | 'mayReplace'
  | 'apiKeyId'
  | 'requestedAccess'
  | 'access'
  | 'country'
  | 'requestedMethod'
  | 'openerOrigin'
  | 'returnUrl'
>;

/** Begins a connect session and creates the link to the hosted page. */
@Injectable()
export class BeginSession {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly terms: ConnectTerms,
    private readonly connectProjects: ConnectProjects,
    private readonly store: SessionStore,
    private readonly tokens: ConnectTokens,
    private readonly address: PublicAddress,
    private readonly reservedTopics: ReservedTopics,
  ) {}

  /**
   * Begins a session. A repeat of the same request gets the same link while the session is open.
   * @throws the errors of `ConnectTerms.at`, or those of `ConnectTerms.offers` when the request names no exchange
   * @throws Conflict (409) for an idem that is in use, also as the id of a quote of the organization
   * @throws ValidationFailed for addresses that the project has not registered
   * @throws NoPublicAddress
   */
  async execute({ project, key, origin }: Caller, input: BeginSessionInput): Promise<BegunSession> {
    const { idem, externalWalletId, method, returnUrl, exchange } = input;
    const request: TermsRequest = {
      externalWalletId,
      access: input.access,
      method,
      // For a keyless client, the country that the CDN reports takes precedence over the one that the page sends.
      country: {
        given: key === null && input.detectedCountry !== null ? null : input.country,
        detected: input.detectedCountry,
      },
      isKeyless: key === null,
    };
    const there = await this.destinationOf(project, exchange, request);
    // Without an API key, the page that sends the request is the page that receives the outcome.
    const openerOrigin = origin ?? input.openerOrigin;
    await this.requireRegistered(project, openerOrigin, returnUrl);
    if (await this.reservedTopics.has(project.organizationId, idem)) throw idemInUse();
    const right = { mayReplace: key !== null, apiKeyId: key?.apiKeyId ?? null };
    const { id, expiresAt } = await this.findOrStore(project, {
      idem,
      externalWalletId,
      ...right,
      requestedMethod: method,
      openerOrigin,
      returnUrl,
      exchange: there.exchange,
      picksExchange: exchange === null,
      access: there.access,
      country: there.country,
      requestedAccess: input.access === null ? null : [...input.access],
    });
    const url = this.address.url(`/connect/${this.tokens.tokenOf(id)}`);
    return { idem, url, isQrCode: preferredFirst(method, there.methods)[0] === 'qr', expiresAt };
  }

  /**
   * Returns the exchange of the link, and the connect methods, the access and the country for it. When the person
   * chooses the exchange on the page, `exchange` is null and both lists are empty.
   */
  private async destinationOf(
    project: ProjectIdentity,
    exchange: string | null,
    request: TermsRequest,
  ): Promise<Pick<Terms, 'access' | 'country' | 'methods'> & { exchange: string | null }> {
    if (exchange !== null) {
      const { spec, ...terms } = await this.terms.at(project, exchange, request);
      return { exchange: spec.id, ...terms };
    }
    await this.terms.offers(project, request);
    return { exchange: null, methods: [], access: [], country: countryOf(request.country) };
  }

  private async requireRegistered(
    project: ProjectIdentity,
    openerOrigin: string | null,
    returnUrl: string | null,
  ): Promise<void> {
    if (openerOrigin === null && returnUrl === null) return;
    const { origins, returnUrls } = await this.connectProjects.get(project);
    const fields = [
      ...(openerOrigin === null || origins.includes(openerOrigin) ? [] : ['origin']),
      ...(returnUrl === null || returnUrls.includes(returnUrl) ? [] : ['returnUrl']),
    ];
    if (fields.length === 0) return;
    throw new ValidationFailed(
      fields.map((field) => ({
        field,
        message: `${field} must be exactly one of the addresses that the project has registered`,
      })),
    );
  }

  private async findOrStore(
    project: ProjectIdentity,
    wanted: NewSession,
  ): Promise<Pick<ConnectSession, 'id' | 'expiresAt'>> {
    const now = this.clock.now();
    const id = this.clock.newId();
    const expiresAt = new Date(now.getTime() + this.config.values.CONNECT_SESSION_SECONDS * 1_000);
    const { idem, externalWalletId, exchange, picksExchange, mayReplace, apiKeyId, requestedAccess, access } = wanted;
    const { country, requestedMethod, openerOrigin, returnUrl } = wanted;
    const tokenHash = digestOf(this.tokens.tokenOf(id));
    const stored = await this.db.query(
      `insert into connect_sessions (id, organization_id, project_id, idem, external_wallet_id, exchange, picks_exchange, may_replace,
                                     api_key_id, requested_access, access, country, preferred_method, method, opener_origin,
                                     return_url, token_hash, state, expires_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14, $15, $16, 'created', $17, $18, $18)
       on conflict (organization_id, idem) do nothing returning id`,
      [
        ...[id, project.organizationId, project.id, idem, externalWalletId, exchange, picksExchange, mayReplace],
        ...[
          apiKeyId,
          requestedAccess,
          access,
          country,
          requestedMethod,
          openerOrigin,
          returnUrl,
          tokenHash,
          expiresAt,
          now,
        ],
      ],
    );
    if (stored.length > 0) return { id, expiresAt };
    const taken = await this.store.findByIdem(project.organizationId, idem);
    if (taken !== null && isOnOffer(taken, now) && isSame(project, taken, wanted)) return taken;
    throw idemInUse();
  }
}

/** Returns the same error for every idem that cannot be used, so that it reveals nothing about other projects. */
function idemInUse(): Conflict {
  return new Conflict('idem is in use, or was used by a connect session that has ended; choose a new idem');
}

/**
 * Whether a repeated request may get the link again. Any program can repeat a request without an API key. The link of
 * such a request is therefore returned only until a browser owns the session.
 */
function isOnOffer(there: ConnectSession, now: Date): boolean {
  const isTheirs = there.apiKeyId === null && there.browserHash !== null;
  return there.expiresAt > now && !hasEnded(there) && !isTheirs;
}

function isSame(project: ProjectIdentity, there: ConnectSession, wanted: NewSession): boolean {
  const members = [
    ...(['externalWalletId', 'picksExchange', 'apiKeyId', 'country', 'requestedMethod'] as const),
    ...(['openerOrigin', 'returnUrl'] as const),
  ];
  const isEqual = members.every((member) => there[member] === wanted[member]);
  if (!isEqual || there.project.id !== project.id) return false;
  // The person may have chosen an exchange since the first request, and that choice changes `access`.
  if (wanted.picksExchange) return there.requestedAccess?.join() === wanted.requestedAccess?.join();
  return there.exchange === wanted.exchange && there.access.join() === wanted.access.join();
}
