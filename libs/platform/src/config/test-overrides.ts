import { z } from 'zod';
import { CONSTANTS, type Constants } from './constants.js';
import { InvalidConfig } from './invalid-config.js';
import type { schema } from './schema.js';

type Settings = z.infer<typeof schema>;

/** Names of the settings that are numbers. */
export type NumberSetting = { [Key in keyof Settings]-?: Settings[Key] extends number ? Key : never }[keyof Settings];

/** Names of the numbers of the configuration. */
export type NumberName = keyof Constants | NumberSetting;

/** Values that a test sets: for constants, and for settings that are numbers, even outside the bounds of a setting. */
export type TestOverrides = Partial<Record<NumberName, number>>;

const VARIABLE = 'TEST_OVERRIDES';
const overrides = z.record(z.string(), z.int().nonnegative());

/** @returns the environment of a process or a harness that runs with these values. */
export function testOverrides(values: TestOverrides): Record<string, string> {
  return { NODE_ENV: 'test', [VARIABLE]: JSON.stringify(values) };
}

/**
 * Applies the variable TEST_OVERRIDES, a JSON object of names and whole numbers. Only tests may set it.
 * @throws InvalidConfig without NODE_ENV=test, for an unknown name and for an invalid value.
 */
export function applyTestOverrides(env: NodeJS.ProcessEnv, settings: Settings): [Settings, Constants] {
  const text = env[VARIABLE];
  if (text === undefined) return [settings, CONSTANTS];
  if (settings.NODE_ENV !== 'test') throw new InvalidConfig([`${VARIABLE}: refused unless NODE_ENV is test`]);
  const given = overrides.safeParse(parseJson(text));
  if (!given.success) throw new InvalidConfig([`${VARIABLE}: must be a JSON object of names and whole numbers`]);
  const changed = { ...settings };
  const constants: Record<keyof Constants, number> = { ...CONSTANTS };
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(given.data)) {
    if (isConstant(name)) constants[name] = value;
    else if (isNumberSetting(name, settings)) changed[name] = value;
    else unknown.push(`${VARIABLE}: ${name} is neither a constant nor a setting that is a number`);
  }
  if (unknown.length > 0) throw new InvalidConfig(unknown);
  return [changed, constants];
}

function isConstant(name: string): name is keyof Constants {
  return Object.hasOwn(CONSTANTS, name);
}

function isNumberSetting(name: string, settings: Settings): name is NumberSetting {
  return Object.hasOwn(settings, name) && typeof settings[name as keyof Settings] === 'number';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
