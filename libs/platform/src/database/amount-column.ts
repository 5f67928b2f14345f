import { Column, type ColumnOptions, type ValueTransformer } from 'typeorm';
import { Amount } from '#money';

const transformer: ValueTransformer = {
  to: (value: Amount | null | undefined) => value?.toString() ?? value,
  from: (value: string | null) => (value === null ? null : Amount.of(value)),
};

/** A `numeric` column whose value in the entity is an `Amount`. */
export function AmountColumn(options: Pick<ColumnOptions, 'name' | 'nullable' | 'update'> = {}): PropertyDecorator {
  return Column({ type: 'numeric', transformer, ...options });
}
