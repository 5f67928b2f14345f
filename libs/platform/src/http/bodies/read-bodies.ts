import { isUtf8 } from 'node:buffer';
import { RouteConfig, type FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ValidationFailed } from '#platform/errors';
import { refuseLargeJson } from './json-limits.js';
import { refuseRepeatedMembers } from './repeated-members.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True when the route also takes the body of an HTML form. */
    takesForm?: boolean;
    /** True when the route also needs the body as it was sent. */
    keepsText?: boolean;
  }

  interface FastifyRequest {
    /** The body as it was sent, on routes that keep it. */
    bodyText?: string;
  }
}

/** Lets a route accept the body of an HTML form as well as JSON. Only pages for people need this. */
export const TakesForm = (): MethodDecorator => RouteConfig({ takesForm: true });

/** Keeps the body as it was sent in `request.bodyText`, because a signature covers the bytes of the body. */
export const KeepsBodyText = (): MethodDecorator => RouteConfig({ keepsText: true });

const WITHOUT_BODY = new Set(['GET', 'HEAD']);
const JSON_TYPE = mediaType('application/json');
const FORM_TYPE = mediaType('application/x-www-form-urlencoded');

/**
 * Makes the adapter read JSON bodies, and forms where the route takes them. The adapter refuses a body with another
 * content type or without one, because a wrong guess could lose a field that changes a payment. An empty body counts as
 * no body, with every content type.
 */
export function readBodies(adapter: FastifyAdapter): void {
  const fastify = adapter.getInstance<FastifyInstance>();
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.addHook('onRequest', (request, _reply, done) => {
    // Fastify would refuse a malformed content type even when there is no body, so it must not see the header. `isOnly`
    // reads the raw headers instead.
    if (request.raw.headers['content-type'] !== undefined) delete request.raw.headers['content-type'];
    done(WITHOUT_BODY.has(request.method) && announcesBody(request) ? refuseOtherTypes(request) : undefined);
  });
  fastify.removeAllContentTypeParsers();
  adapter.useBodyParser('*', false, undefined, (request: FastifyRequest, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined);
    const isForm = takesForm(request);
    const refusal = (isForm ? undefined : refuseOtherTypes(request)) ?? refuseOtherEncodings(request, bytes);
    if (refusal !== undefined) return done(refusal);
    const text = bytes.toString();
    if (isForm) return done(null, readForm(text));
    if (request.routeOptions.config.keepsText === true) request.bodyText = text;
    void parseJson(request, text, (error, value) =>
      done(error === null ? (refuseLargeJson(value) ?? refuseRepeatedMembers(text) ?? null) : refuseJson(text), value),
    );
  });
}

function announcesBody({ headers }: FastifyRequest): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  return coding !== undefined || length !== '0';
}

function takesForm(request: FastifyRequest): boolean {
  return request.routeOptions.config.takesForm === true && isOnly(FORM_TYPE, request);
}

function refuseOtherTypes(request: FastifyRequest): ValidationFailed | undefined {
  if (isOnly(JSON_TYPE, request)) return undefined;
  const message = 'a body must be JSON and must be sent with the header content-type: application/json';
  return new ValidationFailed([{ field: 'content-type', message }]);
}

function refuseOtherEncodings({ headers }: FastifyRequest, bytes: Buffer): ValidationFailed | undefined {
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() !== 'identity') {
    const message = 'a body must be sent uncompressed, without the header content-encoding';
    return new ValidationFailed([{ field: 'content-encoding', message }]);
  }
  if (isUtf8(bytes)) return undefined;
  return new ValidationFailed([{ field: 'body', message: 'body must be encoded in UTF-8' }]);
}

/** Returns the error for a body that Fastify does not parse: it is not JSON, or a member could change a prototype. */
function refuseJson(text: string): ValidationFailed {
  const message = isJson(text)
    ? 'body must have neither a member __proto__ nor a member constructor with a member prototype'
    : 'body must be valid JSON';
  return new ValidationFailed([{ field: 'body', message }]);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether the client sent this content type and no second one, because a proxy might use the second one. */
function isOnly(type: RegExp, { raw }: FastifyRequest): boolean {
  const sent = raw.headersDistinct['content-type'] ?? [];
  return sent.length > 0 && sent.every((text) => type.test(text));
}

/** Matches the media type with any parameters (RFC 9110, section 8.3.1). */
function mediaType(name: string): RegExp {
  const token = "[\\w!#$%&'*+.^`|~-]+";
  const parameter = `${token}=(?:${token}|"[^"\\\\]*")`;
  return new RegExp(`^${name}[ \\t]*(?:;[ \\t]*(?:${parameter}[ \\t]*)?)*$`, 'i');
}

/** Returns the fields of a form; a field that was sent more than once is an array. */
function readForm(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(fields);
}
