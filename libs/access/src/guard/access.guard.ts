import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotFound, RateLimitExceeded, Unauthorized } from '#platform/errors';
import { currentLoad, KeyConcurrency, whenAnswered } from '#platform/load';
import { ACCESS_RULE, type AccessRule, type PublicOptions, type KeylessOptions } from './access-rule.decorators.js';
import { InsufficientPermissions } from './access.errors.js';
import { AdminTokenGuard } from './admin-token.guard.js';
import { ANY_ORIGIN } from './any-origin.js';
import { ApiKeyLookup } from '../keys/api-key-lookup.js';
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
import { VerifyCredentials } from './verify-credentials.js';

/** Admits a request only by the access rule of its route. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly adminTokenGuard: AdminTokenGuard,
    private readonly credentials: VerifyCredentials,
    private readonly lookup: ApiKeyLookup,
    private readonly rates: RequestRates,
    private readonly lastUse: LastUse,
    private readonly concurrency: KeyConcurrency,
    private readonly modules: ModuleRef,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.ruleOf(context.getHandler());
    if (rule === undefined || context.getType() !== 'http') throw new Unauthorized();
    const http = context.switchToHttp();
    await this.admit(rule, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
    return true;
  }

  /** Returns the check of the requests for one method of a controller, for direct reads. @throws Unauthorized without a rule */
  admissionTo(handler: object): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
    const rule = this.ruleOf(handler);
    if (rule === undefined) throw new Unauthorized();
    return (request, reply) => this.admit(rule, request, reply);
  }

  private ruleOf(handler: object): AccessRule | undefined {
    return this.reflector.get<AccessRule | undefined>(ACCESS_RULE, handler as () => unknown);
  }

  private async admit(rule: AccessRule, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // No cache may serve a response of one tenant to another. A route whose responses may be cached sets its own
    // header.
    if (rule.kind !== 'public') void reply.header('cache-control', 'no-store');
    if (rule.kind === 'public') await this.admitPublic(request, reply, rule);
    else if (rule.kind === 'admin') await this.admitAdmin(request);
    else if (rule.keyless !== undefined && countHeader(request.raw.rawHeaders, API_KEY_HEADER) === 0) {
      await this.admitKeyless(request, reply, rule.keyless);
    } else await this.admitKey(request, reply, rule.scopes);
  }

  private async admitPublic(request: FastifyRequest, reply: FastifyReply, options: PublicOptions): Promise<void> {
    // The CORS headers are set before the limit applies, so that a page can read the 429.
    if (options.anyOrigin === true) void reply.headers(ANY_ORIGIN);
    if (options.limit !== undefined) await this.rates.countPublicRequest(options.limit, request.ip, reply);
  }

  private async admitKey(request: FastifyRequest, reply: FastifyReply, wanted: readonly Scope[]): Promise<void> {
    const { rawHeaders } = request.raw;
    const key = singleHeader(rawHeaders, API_KEY_HEADER);
    await this.refuseBlockedAddress(request, key);
    const verdict = await this.credentials.execute({
      key,
      organizationId: singleHeader(rawHeaders, ORGANIZATION_HEADER),
      projectId: singleHeader(rawHeaders, PROJECT_HEADER),
      ip: request.ip,
    });
    if ('refused' in verdict) return await this.refuse(request, verdict.refused);
    const { project } = verdict;
    request.log = request.log.child({ project: project.id, apiKeyId: project.apiKeyId });
    this.lastUse.note(project.apiKeyId);
    await this.rates.countRequest(project.apiKeyId, reply);
    const { loadClass = 'ordinary' } = request.routeOptions.config;
    whenAnswered(request, this.concurrency.take(project.apiKeyId, loadClass));
    const load = currentLoad();
    if (load !== null) load.owner = project.apiKeyId;
    const missing = wanted.filter((scope) => !project.scopes.includes(scope));
    if (missing.length > 0) throw new InsufficientPermissions(missing);
    request.project = project;
  }

  private async admitKeyless(
    request: FastifyRequest,
    reply: FastifyReply,
    { guard, limit }: KeylessOptions,
  ): Promise<void> {
    await this.refuseBlockedAddress(request, null);
    await this.rates.countPublicRequest(limit, request.ip, reply);
    const { rawHeaders } = request.raw;
    const organizationId = singleHeader(rawHeaders, ORGANIZATION_HEADER);
    const projectId = singleHeader(rawHeaders, PROJECT_HEADER);
    const origin = singleHeader(rawHeaders, 'origin');
    if (origin === null) return await this.refuse(request, 'a request without an API key lacks the origin');
    const pages = this.modules.get(guard, { strict: false });
    if (organizationId === null || projectId === null) {
      const reason = 'a request without an API key lacks the organization or the project';
      return await this.refuse(request, reason, pages.refusal);
    }
    const project = await pages.admit({ organizationId, projectId, origin });
    if (project === null) {
      const reason = 'no project allows this page to call without an API key';
      return await this.refuse(request, reason, pages.refusal);
    }
    request.log = request.log.child({ project: project.id });
    request.keylessClient = { project, origin };
  }

  private async admitAdmin(request: FastifyRequest): Promise<void> {
    if (!this.adminTokenGuard.exists) throw new NotFound('Path');
    await this.adminTokenGuard.admit(request, { basic: false });
  }

  /**
   * Refuses an address with too many failed authentications before its credentials are checked. A key that was valid
   * shortly before is still admitted, so that one broken client does not block all others behind the same proxy.
   */
  private async refuseBlockedAddress(request: FastifyRequest, key: string | null): Promise<void> {
    const seconds = await this.rates.refusedSeconds(request.ip);
    if (seconds === null || (key !== null && this.lookup.isFamiliar(key))) return;
    throw new RateLimitExceeded(seconds);
  }

  /** @param message for the caller; default: the one that all refusals of credentials share */
  private async refuse(request: FastifyRequest, reason: string, message?: string): Promise<never> {
    await this.rates.countFailure(request.ip);
    request.log.info({ reason }, 'credentials refused');
    throw new Unauthorized(message);
  }
}
