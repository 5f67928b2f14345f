import { Injectable } from '@nestjs/common';
import { ApiKeys, type Caller, type ProjectIdentity } from '#access';
import { Authorizations, accessKinds, type AccessKind, type ConnectMethod, type ExchangeSpec } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { InvalidRequest, ValidationFailed } from '#platform/errors';
import { ConnectWallet } from '#wallet';
import { ConnectProjects } from '../projects/connect-projects.service.js';
import { preferredFirst } from '../session/connect-sessions.service.js';
import { ConnectTokens, digestOf } from '../session/connect-tokens.js';
import { CountriesExcluded } from './countries-excluded.js';
import { requireCountry } from './country.js';
import { PublicAddress } from '../session/public-address.js';
import { hasEnded, SessionStore, type ConnectSession } from '../session/session-store.js';

export interface BeginSessionInput {
  exchange: string;
  externalWalletId: string;
  /** The caller's id of the attempt. It is also the topic of the messages about the attempt. */
  idem: string;
  /** null means what the project has set, else what its keys can use. */
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
  | 'mayReplace'
  | 'apiKeyId'
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
    private readonly apiKeys: ApiKeys,
    private readonly authorizations: Authorizations,
    private readonly connectWallet: ConnectWallet,
    private readonly connectProjects: ConnectProjects,
    private readonly countriesExcluded: CountriesExcluded,
    private readonly store: SessionStore,
    private readonly tokens: ConnectTokens,
    private readonly address: PublicAddress,
  ) {}

  /**
   * A repeat of the same request gets the same link while the session is open.
   * @throws InvalidRequest for an exchange that the project cannot connect to, a method that is not available, access
   *   that the connector does not support, a wallet of another exchange, and (409) an idem that is in use
   * @throws ValidationFailed for addresses that the project has not registered
   * @throws CountryCodeInvalid, CountryNotDetected, CountryNotSupported, NoPublicAddress
   */
  async execute({ project, key, origin }: Caller, input: BeginSessionInput): Promise<BegunSession> {
    const spec = this.connectWallet.getSpec(project, input.exchange);
    const methods = this.authorizations.connectMethods({ exchange: spec.id, mode: project.mode });
    if (input.method !== null && !methods.includes(input.method)) throw methodNotOpen(spec, methods);
    const access = input.access === null ? await this.usualAccess(project, spec) : namedAccess(spec, input.access);
    // The CDN knows the country of a keyless client better than the page does.
    const given = key === null && input.detectedCountry !== null ? null : input.country;
    const country = this.countryOf(spec, { ...input, country: given });
    // Without an API key, the page that asks is the page that receives the outcome.
    const openerOrigin = origin ?? input.openerOrigin;
    await this.requireRegistered(project, openerOrigin, input.returnUrl);
    // Without an API key the caller must not learn which wallets exist.
    if (key !== null)
      await this.connectWallet.check(project, { exchange: spec.id, externalWalletId: input.externalWalletId });
    const { idem, externalWalletId, method, returnUrl } = input;
    const right = { mayReplace: key !== null, apiKeyId: key?.apiKeyId ?? null };
    const wanted = { idem, externalWalletId, exchange: spec.id, ...right, access, country, requestedMethod: method };
    const { id, expiresAt } = await this.findOrStore(project, { ...wanted, openerOrigin, returnUrl });
    const url = this.address.url(`/connect/${this.tokens.tokenOf(id)}`);
    return { idem, url, isQrCode: preferredFirst(method, methods)[0] === 'qr', expiresAt };
  }

  /** The access for a request that names none. The page shows it. */
  private async usualAccess(project: ProjectIdentity, spec: ExchangeSpec): Promise<AccessKind[]> {
    const [{ connectAccess }, scopes] = await Promise.all([
      this.connectProjects.get(project),
      this.apiKeys.scopesOf(project.id),
    ]);
    const usable = (connectAccess ?? accessKinds).filter((kind) => scopes.includes(kind));
    return withReading(spec, usable);
  }

  private countryOf(spec: ExchangeSpec, { country, detectedCountry }: BeginSessionInput): string | null {
    const excluded = [...spec.countriesExcluded, ...this.countriesExcluded.of(spec.id)];
    return requireCountry(spec.name, excluded, { given: country, detected: detectedCountry });
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
      fields.map((field) => ({ field, message: `${field} must be one that the project has registered, exactly` })),
    );
  }

  private async findOrStore(
    project: ProjectIdentity,
    wanted: NewSession,
  ): Promise<Pick<ConnectSession, 'id' | 'expiresAt'>> {
    const now = this.clock.now();
    const id = this.clock.newId();
    const expiresAt = new Date(now.getTime() + this.config.values.CONNECT_SESSION_SECONDS * 1_000);
    const {
      idem,
      externalWalletId,
      exchange,
      mayReplace,
      apiKeyId,
      access,
      country,
      requestedMethod,
      openerOrigin,
      returnUrl,
    } = wanted;
    const tokenHash = digestOf(this.tokens.tokenOf(id));
    const stored = await this.db.query(
      `insert into connect_sessions (id, organization_id, project_id, idem, external_wallet_id, exchange, may_replace, api_key_id, access, country,
                                     preferred_method, method, opener_origin, return_url, token_hash, state, expires_at, created_at,
                                     updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13, $14, 'created', $15, $16, $16)
       on conflict (organization_id, idem) do nothing returning id`,
      [
        ...[
          id,
          project.organizationId,
          project.id,
          idem,
          externalWalletId,
          exchange,
          mayReplace,
          apiKeyId,
          access,
          country,
        ],
        ...[requestedMethod, openerOrigin, returnUrl, tokenHash, expiresAt, now],
      ],
    );
    if (stored.length > 0) return { id, expiresAt };
    const taken = await this.store.findByIdem(project.organizationId, idem);
    if (taken !== null && isOnOffer(taken, now) && isSame(project, taken, wanted)) return taken;
    throw new InvalidRequest('idem is used by another attempt or by one that has ended; choose a new one', {
      status: 409,
    });
  }
}

/** The access that a request names, and reading. @throws InvalidRequest for access that the connector does not support */
function namedAccess(spec: ExchangeSpec, asked: readonly AccessKind[]): AccessKind[] {
  const { name, access: there } = spec;
  const isMissing = asked.some((kind) => !there.includes(kind));
  if (isMissing) throw new InvalidRequest(`access: at ${name} only this is supported: ${there.join(', ')}`);
  return withReading(spec, asked);
}

function withReading({ access: there }: ExchangeSpec, wanted: readonly AccessKind[]): AccessKind[] {
  return accessKinds.filter((kind) => kind === 'read' || (wanted.includes(kind) && there.includes(kind)));
}

/**
 * Whether a repeat may get the link again. Any program can repeat a keyless request, so such a link is not repeated
 * once a browser has taken the session.
 */
function isOnOffer(there: ConnectSession, now: Date): boolean {
  const isTheirs = there.apiKeyId === null && there.browserHash !== null;
  return there.expiresAt > now && !hasEnded(there) && !isTheirs;
}

function isSame(project: ProjectIdentity, there: ConnectSession, wanted: NewSession): boolean {
  const members = [
    'externalWalletId',
    'exchange',
    'apiKeyId',
    'country',
    'requestedMethod',
    'openerOrigin',
    'returnUrl',
  ] as const;
  const isEqual = members.every((member) => there[member] === wanted[member]);
  return isEqual && there.project.id === project.id && there.access.join() === wanted.access.join();
}

function methodNotOpen({ name }: ExchangeSpec, methods: readonly ConnectMethod[]): InvalidRequest {
  return new InvalidRequest(
    `This connect method is not available for ${name} here; available: ${methods.join(', ') || 'none'}`,
  );
}
