import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EVERY_PROJECT } from '#platform/database';
import { NotFound, RateLimitExceeded, Unauthorized } from '#platform/errors';
import { KeyConcurrency, whenAnswered } from '#platform/load';
import { ACCESS_RULE, type AccessRule, type PublicOptions, type KeylessOptions } from './access-rule.decorators.js';
import { InsufficientPermissions } from './access.errors.js';
import { AdminTokenGuard } from './admin-token.guard.js';
import { ANY_ORIGIN } from './any-origin.js';
import { ApiKeyLookup } from '../keys/api-key-lookup.js';
import { Callers } from './callers.js';
import {
  API_KEY_HEADER,
  ORGANIZATION_HEADER,
  PROJECT_HEADER,
  countHeader,
  singleHeader,
} from './credential-headers.js';
import { LastUse } from '../keys/last-use.js';
import { RequestRates } from './request-rates.js';
import type { Scope } from '../keys/scopes.js';
import { VerifyCredentials, type Verdict } from './verify-credentials.js';

/** Lets the statements of a request see the rows of its project. */
function actFor({ load }: FastifyRequest, projectId: string): void {
  if (load !== undefined) load.projectId = projectId;
}

/** Admits a request only by the access rule of its route. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly adminTokenGuard: AdminTokenGuard,
    private readonly credentials: VerifyCredentials,
    private readonly callers: Callers,
    private readonly lookup: ApiKeyLookup,
    private readonly rates: RequestRates,
    private readonly lastUse: LastUse,
    private readonly concurrency: KeyConcurrency,
    private readonly modules: ModuleRef,
  ) {}

  /** @returns a promise only when the check may need a query */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rule = this.ruleOf(context.getHandler());
    if (rule === undefined || context.getType() !== 'http') throw new Unauthorized();
    const http = context.switchToHttp();
    const waits = this.admit(rule, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
    return waits === null ? true : waits.then(() => true);
  }

  private ruleOf(handler: object): AccessRule | undefined {
    return this.reflector.get<AccessRule | undefined>(ACCESS_RULE, handler as () => unknown);
  }

  private admit(rule: AccessRule, request: FastifyRequest, reply: FastifyReply): Promise<void> | null {
    // No cache may serve a response of one tenant to another. A route whose responses may be cached sets its own
    // header.
    if (rule.kind !== 'public') void reply.header('cache-control', 'no-store');
    if (rule.kind === 'public') return this.admitPublic(request, reply, rule);
    if (rule.kind === 'admin') this.admitAdmin(request);
    else if (rule.keyless !== undefined && countHeader(request.raw.rawHeaders, API_KEY_HEADER) === 0) {
      return this.admitKeyless(request, reply, rule.keyless);
    } else return this.admitKey(request, reply, rule.scopes);
    return null;
  }

  private admitPublic(request: FastifyRequest, reply: FastifyReply, options: PublicOptions): Promise<void> | null {
    // The CORS headers are set before the limit applies, so that a page can read the 429.
    if (options.anyOrigin === true) void reply.headers(ANY_ORIGIN);
    if (options.admitsKeys === true && countHeader(request.raw.rawHeaders, API_KEY_HEADER) > 0) {
      return this.admitKey(request, reply, []);
    }
    if (options.limit !== undefined) this.rates.countPublicRequest(options.limit, request.ip, reply);
    return null;
  }

  private admitKey(request: FastifyRequest, reply: FastifyReply, wanted: readonly Scope[]): Promise<void> | null {
    const { ip, raw } = request;
    const key = singleHeader(raw.rawHeaders, API_KEY_HEADER);
    this.refuseBlockedAddress(request, key);
    const verdict = this.credentials.execute(raw, {
      key,
      organizationId: singleHeader(raw.rawHeaders, ORGANIZATION_HEADER),
      projectId: singleHeader(raw.rawHeaders, PROJECT_HEADER),
      ip,
    });
    if (verdict instanceof Promise) return verdict.then((later) => this.conclude(later, request, reply, wanted));
    this.conclude(verdict, request, reply, wanted);
    return null;
  }

  private conclude(verdict: Verdict, request: FastifyRequest, reply: FastifyReply, wanted: readonly Scope[]): void {
    if ('refused' in verdict) return this.refuse(request, verdict.refused);
    const { project } = verdict;
    request.log = request.log.child({ project: project.id, apiKeyId: project.apiKeyId });
    actFor(request, project.id);
    this.lastUse.note(project.apiKeyId, project.id);
    this.rates.countRequest(project.apiKeyId, reply);
    const { loadClass = 'ordinary', isHandedOver = false } = request.routeOptions.config;
    // The response of a connection that is handed over never ends, and its places have limits of their own.
    if (!isHandedOver) whenAnswered(request, this.concurrency.take(project.apiKeyId, loadClass));
    if (request.load !== undefined) request.load.owner = project.apiKeyId;
    const missing = wanted.filter((scope) => !project.scopes.includes(scope));
    if (missing.length > 0) throw new InsufficientPermissions(missing);
    request.project = project;
  }

  private async admitKeyless(
    request: FastifyRequest,
    reply: FastifyReply,
    { guard, limit }: KeylessOptions,
  ): Promise<void> {
    this.refuseBlockedAddress(request, null);
    this.rates.countPublicRequest(limit, request.ip, reply);
    const { rawHeaders } = request.raw;
    const organizationId = singleHeader(rawHeaders, ORGANIZATION_HEADER);
    const projectId = singleHeader(rawHeaders, PROJECT_HEADER);
    const origin = singleHeader(rawHeaders, 'origin');
    if (origin === null) return this.refuse(request, 'a request without an API key has no Origin header');
    const pages = this.modules.get(guard, { strict: false });
    if (organizationId === null || projectId === null) {
      const reason = `a request without an API key needs both headers ${ORGANIZATION_HEADER} and ${PROJECT_HEADER}`;
      return this.refuse(request, reason, pages.refusal);
    }
    const project = await pages.admit({ organizationId, projectId, origin });
    if (project === null) {
      const reason = 'no project allows this page to call without an API key';
      return this.refuse(request, reason, pages.refusal);
    }
    request.log = request.log.child({ project: project.id });
    actFor(request, project.id);
    request.keylessClient = { project, origin };
  }

  private admitAdmin(request: FastifyRequest): void {
    if (!this.adminTokenGuard.exists) throw new NotFound('Path');
    this.adminTokenGuard.admit(request, { basic: false });
    actFor(request, EVERY_PROJECT);
  }

  /**
   * Refuses a request from an address with too many failed authentications, before its credentials are checked. A
   * request with a key that was valid shortly before is still checked, so that one broken client does not block all
   * others behind the same proxy.
   */
  private refuseBlockedAddress({ ip, raw }: FastifyRequest, key: string | null): void {
    const seconds = this.rates.refusedSeconds(ip);
    if (seconds === null || (key !== null && this.lookup.isFamiliar(this.callers.keyNameOf(raw, key)))) return;
    throw new RateLimitExceeded(seconds);
  }

  /** @param message for the caller; default: the message that all refusals of credentials share */
  private refuse({ ip, log }: FastifyRequest, reason: string, message?: string): never {
    this.rates.countFailure(ip);
    log.info({ reason }, 'the credentials of a request were refused');
    throw new Unauthorized(message);
  }
}
