/** The id of a draft: a site and a session of it, both in normal form. */
export interface DraftId {
  /** Lower case letters, digits, `_` and `-`; 1 to 64 characters. */
  readonly siteId: string
  /** 1 to 200 characters without control characters and without `::`. */
  readonly session: string
}

const keys = new WeakMap<DraftId, string>()

/** The text that identifies a draft; for storage, not for display. */
export function draftKey(id: DraftId): string {
  let key = keys.get(id)
  if (key === undefined) keys.set(id, (key = JSON.stringify([id.siteId, id.session])))
  return key
}
