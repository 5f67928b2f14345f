export const storeKinds = ['memory', 'postgres'] as const;
export type StoreKind = (typeof storeKinds)[number];
