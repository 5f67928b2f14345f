/** The place of a value in a JSON value. */
type Path = readonly (string | number)[];

type Leaf = string | number | boolean | null;

/** A value in a JSON value that is neither an object nor a list. */
interface Field {
  readonly path: Path;
  readonly leaf: Leaf;
}

/** A fault in the reading of one field, as a change of the sample that has the same effect. */
export interface FieldMutant {
  readonly name: string;
  readonly change: (sample: unknown) => unknown;
}

/** A sample, and how its mutants are found. */
export interface MutatedSample {
  readonly sample: unknown;
  /** Whether the values that are read from the changed sample differ from the documented ones. */
  readonly isFound: (change: FieldMutant['change']) => Promise<boolean>;
}

/** Fields of an envelope around the sample. Faults in their reading are found by EX-03 and EX-43. */
const ENVELOPE = ['code', 'msg', 'retCode', 'retMsg', 'requestTime', 'cursor', 'has_next', 'nextPageCursor', 'error'];

function fieldsOf(value: unknown, path: Path = []): Field[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => fieldsOf(each, [...path, index]));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .filter(([name]) => !ENVELOPE.includes(name))
      .flatMap(([name, each]) => fieldsOf(each, [...path, name]));
  return [{ path, leaf: value as Leaf }];
}

/** Replaces the value at a path; undefined = removes it. */
function replaced(value: unknown, [first, ...rest]: Path, leaf: Leaf | undefined): unknown {
  if (first === undefined) return leaf;
  if (Array.isArray(value))
    return value.map((each: unknown, index): unknown => (index === first ? replaced(each, rest, leaf) : each));
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [first]: replaced(object[first], rest, leaf) };
}

/** Another value of the same form. */
function otherThan(leaf: Leaf): Leaf {
  if (leaf === null) return 'another';
  if (typeof leaf === 'boolean') return !leaf;
  if (typeof leaf === 'number') return leaf + 1;
  return /^-?\d+(\.\d+)?$/.test(leaf) ? leaf.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)) : `${leaf}x`;
}

/** The number in a time or an amount in another unit; null = the value is no number. */
function inAnotherUnit(leaf: Leaf): Leaf {
  if (typeof leaf === 'number') return leaf * 1000;
  return typeof leaf === 'string' && /^\d{9,13}$/.test(leaf) ? `${leaf}000` : null;
}

const nameOf = ({ path }: Field): string => path.join('.');

/** For a field: a reader that leaves it out, one that changes it, and one that reads it in another unit. */
function changesOf(field: Field): FieldMutant[] {
  const of = (name: string, leaf: Leaf | undefined): FieldMutant => ({
    name: `${name} ${nameOf(field)}`,
    change: (sample) => replaced(sample, field.path, leaf),
  });
  const scaled = inAnotherUnit(field.leaf);
  const changed = [of('without', undefined), of('with another', otherThan(field.leaf))];
  return scaled === null ? changed : [...changed, of('in another unit:', scaled)];
}

/** For a field: readers that read another field instead, whose value has the same type. */
function swapsOf(all: readonly Field[], field: Field): FieldMutant[] {
  return all
    .filter((one) => one.path !== field.path && typeof one.leaf === typeof field.leaf)
    .map((one) => ({
      name: `${nameOf(one)} in place of ${nameOf(field)}`,
      change: (sample) => replaced(sample, field.path, one.leaf),
    }));
}

/** A value that no other field has, for a field that is not read. */
function unique({ leaf }: Field, index: number): Leaf {
  if (typeof leaf === 'string') return /^-?\d+(\.\d+)?$/.test(leaf) ? `${987_000 + index}.5` : `unused-${index}`;
  return typeof leaf === 'number' ? 987_000 + index : leaf;
}

/** The number of mutants, and those that are not found. */
export interface MutantsTried {
  readonly total: number;
  readonly missed: readonly FieldMutant[];
}

/**
 * Tries readers that leave out, change, scale or exchange each field that is read. A field is read if a change of it
 * makes a difference. Each field that is not read gets a value of its own first, so that no two fields are equal.
 */
export async function tryFieldMutants({ sample, isFound }: MutatedSample): Promise<MutantsTried> {
  let filled = sample;
  const read: Field[] = [];
  let total = 0;
  for (const [index, field] of fieldsOf(sample).entries()) {
    const found: boolean[] = [];
    for (const { change } of changesOf(field)) found.push(await isFound(change));
    const count = found.filter(Boolean).length;
    total += count;
    if (count > 0) read.push(field);
    else filled = replaced(filled, field.path, unique(field, index));
  }
  const missed: FieldMutant[] = [];
  const all = fieldsOf(filled);
  for (const field of read) {
    for (const swap of swapsOf(all, all.find((one) => nameOf(one) === nameOf(field)) ?? field)) {
      total += 1;
      if (!(await isFound(swap.change))) missed.push(swap);
    }
  }
  return { total, missed };
}
