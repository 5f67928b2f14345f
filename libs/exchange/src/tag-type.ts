/** What exchanges call the number or text beside an address that many accounts share. */
export type TagType = 'memo' | 'destinationTag' | 'message';
