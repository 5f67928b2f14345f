import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_KEY_HEADER, ORGANIZATION_HEADER, PROJECT_HEADER, WALLET_HEADER } from '#access';
import { Unauthorized } from '#platform/errors';
import { ConnectProjects } from './connect-projects.service.js';

/** The routes that pages may call, all of them without an API key. */
const PREFIX = '/v0/oauth2/';
/** The routes under PREFIX whose responses pages of any origin may read (`@Public({ anyOrigin: true })`). */
const OPEN_PATHS = ['status', 'events', 'exchanges'].map((name) => PREFIX + name);
/**
 * The routes that create a link, with and without an exchange. Without an API key, only pages of registered origins may
 * call them.
 */
const URL_PATH = /^\/v0\/oauth2\/(?:[^/]+\/)?url$/;
/** Headers that clients may send with every call. A header has no effect where a route does not need it. */
const ALLOWED_HEADERS = [ORGANIZATION_HEADER, PROJECT_HEADER, WALLET_HEADER, 'last-event-id'].join(', ');
const EXPOSED_HEADERS = 'ratelimit, ratelimit-policy, retry-after, x-request-id';
const NO_CONTENT = 204;
/** Seconds for which browsers cache a preflight. */
const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of registered origins read the responses of `/v0/oauth2/*`, errors included. Pages of other origins can
 * read only the open routes (OPEN_PATHS), and the reason of a refused request for a link.
 * This grants no access: the guard decides who may call.
 */
@Injectable()
export class Cors implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly connectProjects: ConnectProjects,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    // Requests for all other paths continue without a promise, because a promise would delay them.
    fastify.addHook('onRequest', (request, reply, done) => {
      if (request.url.startsWith(PREFIX)) this.answer(request, reply).then(() => done(), done);
      else done();
    });
  }

  private async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const isPreflight = request.method === 'OPTIONS';
    // A cache must not serve the response to a page of another origin.
    void reply.header('vary', 'origin');
    const { origin } = request.headers;
    const named = isPreflight ? undefined : request.headers[PROJECT_HEADER];
    const projectId = typeof named === 'string' ? named : null;
    const isReadable = origin !== undefined && (await this.connectProjects.isReadableBy(origin, projectId));
    if (isReadable) {
      void reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS });
    }
    const [path = ''] = request.url.split('?');
    // The developer of a page that is not registered must be able to read why it is refused.
    const isRefusal = URL_PATH.test(path) && request.headers[API_KEY_HEADER] === undefined;
    if (!isReadable && isRefusal) void reply.header('access-control-allow-origin', '*');
    if (!isPreflight) return;
    if (!isReadable && !isRefusal && !OPEN_PATHS.includes(path)) throw new Unauthorized();
    if (!isReadable) void reply.header('access-control-allow-origin', '*');
    await reply
      .status(NO_CONTENT)
      .headers({
        'access-control-allow-methods': 'GET',
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': PREFLIGHT_SECONDS,
      })
      .send();
  }
}
