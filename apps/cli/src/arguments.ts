import { isUUID } from 'class-validator';
import { InvalidArgumentError, type Command } from 'commander';
import { scopes, type Scope } from '#access';
import { isDay } from '#platform/clock';
import { PageQuery } from '#platform/http';

export function id(text: string): string {
  if (!isUUID(text)) throw new InvalidArgumentError('Use an id from one of the list commands.');
  return text;
}

export function scopeList(text: string): Scope[] {
  return text.split(',').map((part) => {
    const scope = scopes.find((known) => known === part.trim());
    if (scope === undefined)
      throw new InvalidArgumentError(`Use scopes from ${scopes.join(', ')}, separated by commas.`);
    return scope;
  });
}

export function oneOf<Value extends string>(values: readonly Value[]): (text: string) => Value {
  return (text) => {
    const value = values.find((known) => known === text);
    if (value === undefined) throw new InvalidArgumentError(`Use one of ${values.join(', ')}.`);
    return value;
  };
}

export function textList(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

export function moment(text: string): Date {
  const at = new Date(text);
  const isIso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  if (!isIso || Number.isNaN(at.getTime()) || !isDay(text.slice(0, 10))) {
    throw new InvalidArgumentError('Use a date (UTC) or an ISO 8601 time with a time zone.');
  }
  return at;
}

export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,10}$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`Use an integer from ${min} to ${max}.`);
    }
    return value;
  };
}

/** The options of every list command; their values are a `PageQuery`. */
export function addPageOptions(command: Command): Command {
  const { page, limit } = new PageQuery();
  return command
    .option('--page <number>', 'page, counted from 0', integer(0, 1_000), page)
    .option('--limit <number>', 'entries on a page', integer(1, 1_000), limit);
}
