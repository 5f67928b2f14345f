import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ValidationFailed, type InvalidField } from '#platform/errors';

const LINE_BREAKS_IN = 'http:line-breaks-in';

/** Control characters and lone surrogates: PostgreSQL stores no NUL in text and no lone surrogate in jsonb. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
const LINE_BREAKS = /[\r\n]/g;
/** Limits of the error message: the number of fields, and of characters of each name. A body can have thousands. */
const FIELDS_MAX = 20;
const NAME_LENGTH_MAX = 100;

/** Allows line breaks in one member of the body, such as those of a private key in PEM. */
export const LineBreaksIn = (member: string): MethodDecorator => SetMetadata(LINE_BREAKS_IN, member);

/**
 * Refuses control characters anywhere in the path parameters, the query and the body of a request: no field needs them,
 * and without this guard each field would need a rule of its own. A page that takes a form checks the fields of the
 * form itself.
 */
@Injectable()
export class RefuseControlCharacters implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const { params, query, body, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    const multiline = this.reflector.get<string | undefined>(LINE_BREAKS_IN, context.getHandler());
    const fields = [
      ...unprintable(params),
      ...unprintable(query),
      ...(routeOptions.config.takesForm === true ? [] : unprintable(withoutLineBreaks(body, multiline))),
    ];
    if (fields.length > 0) throw new ValidationFailed(fields.slice(0, FIELDS_MAX));
    return true;
  }
}

function withoutLineBreaks(body: unknown, member: string | undefined): unknown {
  if (member === undefined || typeof body !== 'object' || body === null || !(member in body)) return body;
  const text = (body as Record<string, unknown>)[member];
  return typeof text === 'string' ? { ...body, [member]: text.replaceAll(LINE_BREAKS, '') } : body;
}

/** Lists every name and text in `value` that matches UNPRINTABLE. The depth limit of bodies bounds the recursion. */
function unprintable(value: unknown, path = ''): InvalidField[] {
  if (typeof value === 'string') return UNPRINTABLE.test(value) ? [invalid(path === '' ? 'body' : path)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const field = path === '' ? name : `${path}.${name}`;
    return UNPRINTABLE.test(name) ? [invalid(field)] : unprintable(member, field);
  });
}

/**
 * @param field name as the client sent it. The error message has a form of the name that logs and terminals can show.
 */
function invalid(field: string): InvalidField {
  const name = field.slice(0, NAME_LENGTH_MAX).replaceAll(new RegExp(UNPRINTABLE, 'gu'), '\u{fffd}');
  return { field: name, message: `${name} must be well-formed text without control characters` };
}
