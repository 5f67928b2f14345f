import Negotiator from 'negotiator';
import type { FastifyRequest } from 'fastify';
import { de } from './de.js';
import { en, type Texts } from './en.js';

export type { Texts };

/** The pages that show no data of a session, such as the page for an unknown link. `reopen` is a button text. */
export type Notice = Exclude<keyof Texts['notices'], 'reopen'>;

/** All languages. The first one is for browsers that accept none of them. */
const all: readonly [Texts, ...Texts[]] = [en, de];

/** The texts in the language that the browser prefers. */
export function textsFor(request: Pick<FastifyRequest, 'headers'>): Texts {
  const [preferred] = new Negotiator(request).languages(all.map(({ language }) => language));
  return all.find(({ language }) => language === preferred) ?? all[0];
}
