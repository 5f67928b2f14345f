import type { ReceivedCall } from '../stub-exchange.js';
import type { Answers, Reply } from './exchange-contract.js';

/** New values of fields; undefined = the field is absent. */
export type Fields = Readonly<Record<string, unknown>>;

/** Replaces the values of `fields` in each object that has all of them. */
export function withFields(value: unknown, fields: Fields): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => withFields(each, fields));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withFields(each, fields)]));
  return Object.keys(fields).every((name) => name in value) ? { ...inner, ...fields } : inner;
}

/** Adds an entry to each list of this name: its last entry with the values of `fields`. null = `value` is the list. */
function withEntry(value: unknown, list: string | null, fields: Fields): unknown {
  const last: unknown = Array.isArray(value) ? value.at(-1) : undefined;
  if (list === null) return last === undefined ? value : [...(value as unknown[]), { ...Object(last), ...fields }];
  if (Array.isArray(value)) return value.map((each: unknown) => withEntry(each, list, fields));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    withEntry(each, name === list ? null : list, fields),
  ]);
  return Object.fromEntries(entries);
}

/** The responses with the new values, in place of the present ones or in a further entry of a list. */
export function answersWithFields(answers: Answers, fields: Fields, besidesIn?: string | null): Answers {
  const formOf = (body: unknown): unknown =>
    besidesIn === undefined ? withFields(body, fields) : withEntry(body, besidesIn, fields);
  return changedAnswers(answers, formOf);
}

/** A change of the body of a response. */
export type Change = (body: unknown) => unknown;

/** The responses with a change of their bodies. */
export function changedAnswers(answers: Answers, change: Change): Answers {
  const changed = (reply: Reply): Reply => ({ ...reply, body: JSON.stringify(change(JSON.parse(reply.body))) });
  return Object.fromEntries(
    Object.entries(answers).map(([route, answer]) => [
      route,
      typeof answer === 'function' ? (call: ReceivedCall) => changed(answer(call)) : changed(answer),
    ]),
  );
}
