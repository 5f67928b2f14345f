/**
 * The form of JSON values, as a table: each path with the kinds of values that it may have. `a.b` is a member, `a[]`
 * an entry of a list, and `a.{}` a member of an object whose names are data, such as asset codes.
 */
export type JsonForm = Readonly<Record<string, PathForm>>;

/** Kinds of values, separated by `|`; `?` at the end = the member may be absent. */
export type PathForm = string;

/** Text values by path. */
export type JsonValues = Readonly<Record<string, readonly string[]>>;

/** A difference between a value and the documented form. */
export interface FormDifference {
  readonly kind: 'missing_field' | 'unknown_field' | 'type' | 'unknown_value';
  readonly path: string;
  readonly detail: string;
  /** How many values at this path differ. */
  count: number;
}

/** Paths whose documented values are few and fixed: statuses, types, codes, names of assets and networks. */
const FIXED =
  /(status|state|type|side|direction|code|msg|message|kind|class|category|level|network|chain|chainId|chainName|currency|coin|ccy|asset|method|permissions?|scopes?|roles?)$/i;
/** Paths whose other values are unknown statuses. */
const STATUS = /(status|state)$/i;
const FIXED_VALUE_MAX = 60;

export function kindOfJson(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'string' ? 'text' : typeof value;
}

/** The text of a value that is neither a list nor an object. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The last name of a path, without the brackets of lists. */
export function lastName(path: string): string {
  return path.replace(/\[\]$/, '').split('.').at(-1) ?? '';
}

/** Whether all names of the object's members are data, such as ids or codes of assets, and not names of fields. */
export function isMap(value: object): boolean {
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => !/^[a-z_][A-Za-z0-9_]*$/.test(name));
}

export const childOf = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Collects the form of documented samples. */
export class FormBuilder {
  private readonly kinds = new Map<string, Set<string>>();
  private readonly seen = new Map<string, number>();
  private readonly objects = new Map<string, number>();
  private readonly values = new Map<string, Set<string>>();
  private readonly absent = new Set<string>();

  add(value: unknown, path = ''): void {
    const kind = kindOfJson(value);
    setIn(this.kinds, path).add(kind);
    this.seen.set(path, (this.seen.get(path) ?? 0) + 1);
    if (kind === 'list') for (const entry of value as unknown[]) this.add(entry, `${path}[]`);
    else if (kind === 'object') this.addObject(value as object, path);
    else if (FIXED.test(lastName(path)) && value !== null && textOf(value).length <= FIXED_VALUE_MAX)
      setIn(this.values, path).add(textOf(value));
  }

  /** Adds a documented value at a path; undefined = the member may be absent. */
  addAt(path: string, value: unknown): void {
    if (value === undefined) this.absent.add(path);
    else this.add(value, path);
  }

  form(): Record<string, PathForm> {
    const paths = [...this.kinds.keys()].sort();
    return Object.fromEntries(
      paths.map((path) => [
        path,
        `${[...(this.kinds.get(path) ?? [])].sort().join('|')}${this.isOptional(path) ? '?' : ''}`,
      ]),
    );
  }

  fixedValues(): Record<string, string[]> {
    const paths = [...this.values.keys()].sort();
    return Object.fromEntries(paths.map((path) => [path, [...(this.values.get(path) ?? [])].sort()]));
  }

  private addObject(value: object, path: string): void {
    this.objects.set(path, (this.objects.get(path) ?? 0) + 1);
    const asMap = isMap(value);
    for (const [name, member] of Object.entries(value)) this.add(member, childOf(path, asMap ? '{}' : name));
  }

  private isOptional(path: string): boolean {
    if (this.absent.has(path)) return true;
    if (path === '' || path.endsWith('[]') || path.endsWith('{}')) return false;
    const parent = path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '';
    return (this.seen.get(path) ?? 0) < (this.objects.get(parent) ?? 0);
  }
}

/** Compares a value with the documented form. Differences at the same path are counted, and listed once. */
export function compareForm(value: unknown, form: JsonForm, values: JsonValues): FormDifference[] {
  const found = new Map<string, FormDifference>();
  const report = (kind: FormDifference['kind'], path: string, detail: string): void => {
    const key = `${kind} ${path} ${detail}`;
    const before = found.get(key);
    if (before === undefined) found.set(key, { kind, path, detail, count: 1 });
    else before.count++;
  };
  compareAt(value, '', { form, values, report });
  return [...found.values()];
}

interface Comparing {
  readonly form: JsonForm;
  readonly values: JsonValues;
  readonly report: (kind: FormDifference['kind'], path: string, detail: string) => void;
}

function compareAt(value: unknown, path: string, comparing: Comparing): void {
  const { form, values, report } = comparing;
  const documented = form[path];
  if (documented === undefined) return;
  const kind = kindOfJson(value);
  const kinds = documented.replace('?', '').split('|');
  if (!kinds.includes(kind)) return report('type', path, `${kind} instead of ${kinds.join(' or ')}`);
  if (kind === 'list') for (const entry of value as unknown[]) compareAt(entry, `${path}[]`, comparing);
  else if (kind === 'object') compareObject(value as object, path, comparing);
  else if (STATUS.test(lastName(path)) && value !== null && values[path]?.includes(textOf(value)) === false)
    report('unknown_value', path, `the value ${JSON.stringify(value)} is not documented`);
}

function compareObject(value: object, path: string, comparing: Comparing): void {
  const { form, report } = comparing;
  const prefix = path === '' ? '' : `${path}.`;
  const names = Object.keys(form).flatMap((known) => {
    const rest = known.startsWith(prefix) ? known.slice(prefix.length) : '';
    return rest === '' || /\.|\[\]/.test(rest) ? [] : [rest];
  });
  // The documentation shows nothing about the members of this object.
  if (names.length === 0) return;
  const hasMap = names.includes('{}');
  for (const name of names) {
    if (name !== '{}' && !Object.hasOwn(value, name) && form[childOf(path, name)]?.endsWith('?') === false)
      report('missing_field', childOf(path, name), 'the documented field is absent');
  }
  for (const [name, member] of Object.entries(value)) {
    const isKnown = names.includes(name);
    if (!isKnown && !hasMap) report('unknown_field', childOf(path, name), 'the field is not in the documented samples');
    else compareAt(member, childOf(path, isKnown ? name : '{}'), comparing);
  }
}

function setIn(map: Map<string, Set<string>>, key: string): Set<string> {
  const found = map.get(key) ?? new Set();
  map.set(key, found);
  return found;
}
