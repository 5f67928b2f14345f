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

/** The responses with the new values. */
export function answersWithFields(answers: Answers, fields: Fields): Answers {
  const changed = (reply: Reply): Reply => ({
    ...reply,
    body: JSON.stringify(withFields(JSON.parse(reply.body), fields)),
  });
  return Object.fromEntries(
    Object.entries(answers).map(([route, answer]) => [
      route,
      typeof answer === 'function' ? (call: ReceivedCall) => changed(answer(call)) : changed(answer),
    ]),
  );
}
