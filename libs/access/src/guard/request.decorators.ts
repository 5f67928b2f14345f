import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Unauthorized, ValidationFailed } from '#platform/errors';
import { WALLET_HEADER, countHeader, singleHeader } from './credential-headers.js';
import type { ProjectIdentity } from '../projects/project-identity.js';
import type { ProjectContext } from './project-context.js';

/** The form of a wallet id. */
export const WALLET_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The `ProjectContext` of the request. */
export const CurrentProject = createParamDecorator((_: unknown, context: ExecutionContext): ProjectContext => {
  const { project } = requestOf(context);
  if (project === undefined) throw new Unauthorized();
  return project;
});

/** The caller of a route that also accepts keyless clients. */
export interface Caller {
  project: ProjectIdentity;
  /** null means a page in a browser without an API key. */
  key: ProjectContext | null;
  /** The origin of that page; null with an API key. */
  origin: string | null;
}

export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { project, keylessClient } = requestOf(context);
  if (project !== undefined) return { project, key: project, origin: null };
  if (keylessClient === undefined) throw new Unauthorized();
  return { ...keylessClient, key: null };
});

/**
 * The wallet id of the `x-svc-wallet-id` header.
 * @throws ValidationFailed naming the header when it is missing, malformed or repeated
 */
export const WalletHeader = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => walletId(requestOf(context)),
  [documentWalletHeader(true)],
);

/** The wallet id of the `x-svc-wallet-id` header; null when the header is absent. */
export const OptionalWalletHeader = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | null => {
    const request = requestOf(context);
    return countHeader(request.raw.rawHeaders, WALLET_HEADER) === 0 ? null : walletId(request);
  },
  [documentWalletHeader(false)],
);

function requestOf(context: ExecutionContext): FastifyRequest {
  return context.switchToHttp().getRequest<FastifyRequest>();
}

function walletId(request: FastifyRequest): string {
  const given = singleHeader(request.raw.rawHeaders, WALLET_HEADER);
  if (given !== null && WALLET_ID.test(given)) return given;
  const isMissing = countHeader(request.raw.rawHeaders, WALLET_HEADER) === 0;
  const rule = 'must be sent once, with 1 to 128 characters of A-Z a-z 0-9 . _ : -';
  const message = `${WALLET_HEADER} ${isMissing ? 'is required' : rule}`;
  throw new ValidationFailed([{ field: WALLET_HEADER, message }]);
}

function documentWalletHeader(required: boolean): ParameterDecorator {
  return (target, key) => {
    if (key === undefined) return;
    const method = Object.getOwnPropertyDescriptor(target, key);
    if (method === undefined) return;
    ApiHeader({
      name: WALLET_HEADER,
      required,
      description: 'Id of the wallet, as chosen when it was connected.',
      schema: { type: 'string', pattern: WALLET_ID.source, maxLength: 128 },
    })(target, key, method);
  };
}
