import { Injectable } from '@nestjs/common';
import { ApiKeys, type ProjectIdentity } from '#access';
import {
  Authorizations,
  Exchanges,
  accessKinds,
  type AccessKind,
  type ConnectMethod,
  type ExchangeSpec,
} from '#exchange';
import { DomainError, InvalidRequest } from '#platform/errors';
import { ConnectWallet } from '#wallet';
import { ConnectProjects } from '../projects/connect-projects.service.js';
import { CountriesExcluded } from './countries-excluded.js';
import { normalCountry, requireCountry, type CountrySources } from './country.js';

/** The part of a request for a link that limits the exchanges to which it may lead. */
export interface TermsRequest {
  externalWalletId: string;
  /**
   * null = the access that the project has set, or all access if it has set none. In both cases, only access for which
   * an API key of the project has the scope.
   */
  access: readonly AccessKind[] | null;
  /** The connect method to offer first; null means the best one. */
  method: ConnectMethod | null;
  country: CountrySources;
  /** Whether the request has no API key. Its caller must then not learn which wallets exist. */
  isKeyless: boolean;
}

/** The values of a connect session that depend on its exchange. */
export interface Terms {
  spec: ExchangeSpec;
  /** The available connect methods, the best first. */
  methods: ConnectMethod[];
  /** The access that the page asks for. */
  access: AccessKind[];
  /** null when the country is unknown and not needed. */
  country: string | null;
}

/** The settings of a project that decide which exchanges it may connect to, and with which access. */
interface ProjectFacts {
  /** The access for a request that names none. */
  usual: readonly AccessKind[];
  /** The exchanges that the project allows; null = all. */
  exchanges: readonly string[] | null;
}

/** Decides to which exchanges a link may lead, and which access and connect methods its page shows for each. */
@Injectable()
export class ConnectTerms {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly exchanges: Exchanges,
    private readonly authorizations: Authorizations,
    private readonly connectWallet: ConnectWallet,
    private readonly connectProjects: ConnectProjects,
    private readonly countriesExcluded: CountriesExcluded,
  ) {}

  /**
   * Returns the connect methods, the access and the country for a link to this exchange.
   * @throws InvalidRequest for an exchange to which links of the project cannot lead, a method that is not available,
   *   access that the connector does not support, and a wallet that is connected to another exchange
   * @throws CountryCodeInvalid, CountryNotDetected, CountryNotSupported
   */
  async at(project: ProjectIdentity, exchange: string, request: TermsRequest): Promise<Terms> {
    const terms = this.decide(project, await this.factsOf(project), exchange, request);
    if (!request.isKeyless) {
      const { externalWalletId } = request;
      await this.connectWallet.check(project, { exchange: terms.spec.id, externalWalletId });
    }
    return terms;
  }

  /**
   * Returns an entry for each exchange to which the link may lead, in the order in which the page shows the exchanges.
   * @throws CountryCodeInvalid
   * @throws InvalidRequest when the link can lead to no exchange
   */
  async offers(project: ProjectIdentity, request: TermsRequest): Promise<Terms[]> {
    const { country, isKeyless, externalWalletId } = request;
    // Only a malformed country code throws here, because the list of excluded countries is empty.
    requireCountry('', [], country);
    const facts = await this.factsOf(project);
    const connected = isKeyless ? null : await this.connectWallet.exchangeOf(project, externalWalletId);
    const ids = connected === null ? this.exchanges.specs().map(({ id }) => id) : [connected];
    const offers = ids.flatMap((id) => this.termsOrNone(project, facts, id, request));
    if (offers.length > 0) return offers;
    throw new InvalidRequest(
      'No exchange can be connected with this access, method, country and wallet: see GET /v0/oauth2/exchanges',
    );
  }

  private termsOrNone(project: ProjectIdentity, facts: ProjectFacts, exchange: string, request: TermsRequest): Terms[] {
    try {
      const terms = this.decide(project, facts, exchange, request);
      return terms.methods.length === 0 ? [] : [terms];
    } catch (error) {
      if (error instanceof DomainError) return [];
      throw error;
    }
  }

  private decide(project: ProjectIdentity, facts: ProjectFacts, exchange: string, request: TermsRequest): Terms {
    const spec = this.connectWallet.getSpec(project, exchange);
    if (facts.exchanges !== null && !facts.exchanges.includes(spec.id)) throw notAllowed(facts.exchanges);
    const methods = this.authorizations.connectMethods({ exchange: spec.id, mode: project.mode });
    const { method, access: asked } = request;
    if (method !== null && !methods.includes(method)) throw methodNotOpen(spec, methods);
    const access = asked === null ? withReading(spec, facts.usual) : namedAccess(spec, asked);
    const country = requireCountry(spec.name, this.countriesExcluded.of(spec.id), request.country);
    return { spec, methods, access, country };
  }

  private async factsOf(project: ProjectIdentity): Promise<ProjectFacts> {
    const [{ connectAccess, exchanges }, scopes] = await Promise.all([
      this.connectProjects.get(project),
      this.apiKeys.scopesOf(project.id),
    ]);
    return { exchanges, usual: (connectAccess ?? accessKinds).filter((kind) => scopes.includes(kind)) };
  }
}

/** Returns the country of a session whose exchange is not known yet; null when the country is unknown. */
export function countryOf({ given, detected }: CountrySources): string | null {
  return normalCountry(given ?? detected ?? '');
}

/**
 * Returns the access that a request names, and always `read`.
 * @throws InvalidRequest for access that the connector does not support
 */
function namedAccess(spec: ExchangeSpec, asked: readonly AccessKind[]): AccessKind[] {
  const { name, access: there } = spec;
  const isMissing = asked.some((kind) => !there.includes(kind));
  if (isMissing) throw new InvalidRequest(`access: ${name} supports only ${there.join(', ')}`);
  return withReading(spec, asked);
}

function withReading({ access: there }: ExchangeSpec, wanted: readonly AccessKind[]): AccessKind[] {
  return accessKinds.filter((kind) => kind === 'read' || (wanted.includes(kind) && there.includes(kind)));
}

function notAllowed(exchanges: readonly string[]): InvalidRequest {
  return new InvalidRequest('This project does not allow accounts of this exchange; use one of supportedExchanges', {
    supportedExchanges: [...exchanges],
  });
}

function methodNotOpen({ name }: ExchangeSpec, methods: readonly ConnectMethod[]): InvalidRequest {
  return new InvalidRequest(
    `This connect method is not available for ${name} here; available: ${methods.join(', ') || 'none'}`,
  );
}
