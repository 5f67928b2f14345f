import { z } from 'zod';

export const integer = (fallback: number, min: number, max: number, meaning: string) =>
  z.coerce.number().int().min(min).max(max).default(fallback).describe(meaning);
export const flag = (fallback: boolean, meaning: string) =>
  z
    .enum(['true', 'false'])
    .default(fallback ? 'true' : 'false')
    .transform((text) => text === 'true')
    .describe(meaning);
export const list = (meaning: string, fallback = '') =>
  z
    .string()
    .default(fallback)
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .describe(meaning);
export const url = (meaning: string) => z.url().describe(meaning);
