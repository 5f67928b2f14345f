/**
 * Converts the exchange's id of an asset into our code: the name that the exchange shows for it today. A table of
 * another project never decides the name, because such tables also rename assets that have become others since.
 */
export type CodeOf = (assetId: string) => string;

/** The codes of an exchange whose ids of assets are the names that it shows. */
export const sameCode: CodeOf = (assetId) => assetId;

/** The codes of an exchange that writes its ids in lower case in some responses. */
export const upperCaseCode: CodeOf = (assetId) => assetId.toUpperCase();
